// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of matrices that are not symmetric: TensorFlow's numbers, residuals of all sizes, gradients; roots.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/linalg/eig.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::compare;
using from_tensorflow::known;

/// The largest element of a v − v e, and of the lengths less 1.
double residual(test::tensor<double> const& a, std::int64_t n, test::tensor<double> const& re, test::tensor<double> const& im,
    test::tensor<double> const& v, test::tensor<double> const& w) {
    double worst = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        double length = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            double x = im[k] * w[i * n + k] - re[k] * v[i * n + k], y = -re[k] * w[i * n + k] - im[k] * v[i * n + k];
            for (std::int64_t j = 0; j < n; ++j) x += a[i * n + j] * v[j * n + k], y += a[i * n + j] * w[j * n + k];
            worst = std::max({worst, std::abs(x), std::abs(y)});
            length += v[i * n + k] * v[i * n + k] + w[i * n + k] * w[i * n + k];
        }
        worst = std::max(worst, std::abs(length - 1));
    }
    return worst;
}
/// A sum over values alone, and with vectors, as in the file.
template<class A>
constexpr auto of_values(A const& a) {
    auto const e = std::get<0>(xg::eig(a));
    return xg::sum(xg::sin(xg::real(e)) * xg::square(xg::imag(e)) + xg::square(xg::real(e)));
}
template<class A>
constexpr auto of_vectors(A const& a) {
    auto const [e, v] = xg::eig(a);
    auto const weights = xg::expand_dims<1>(xg::cast<double>(1_c + xg::detail::positions_along<xg::static_extent(5)>{}));
    auto const sizes = xg::square(xg::square(xg::real(v)) + xg::square(xg::imag(v)));
    return of_values(a) + xg::sum(weights * sizes * (1_c + xg::expand_dims<-2>(xg::real(e))));
}
}

TEST_CASE("the loops of all sizes: random, symmetric, cyclic, nilpotent, zero; pairs are conjugated, real values real") {
    for (std::int64_t n : {1, 2, 3, 4, 5, 8, 13, 33, 64})
        for (int kind = 0; kind < 5; ++kind) {
            auto a = test::numbers<double>({n, n}, -2, 2, static_cast<std::uint64_t>(n));
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    if (kind == 1 && j < i) a[i * n + j] = a[j * n + i];
                    if (kind == 2) a[i * n + j] = i == (j + 1) % n;
                    if (kind == 3) a[i * n + j] = i == j + 1;
                    if (kind == 4) a[i * n + j] = 0;
                }
            test::tensor<double> re({n}), im({n}), v({n, n}), w({n, n}), work({2 * n * (2 * n + 4)});
            xg::detail::loops::eigen(
                a.data(), re.data(), im.data(), v.data(), w.data(), reinterpret_cast<xg::detail::loops::number*>(work.data()), n);
            CHECK(residual(a, n, re, im, v, w) < 1e-12 * static_cast<double>(n));
            for (std::int64_t k = 0; k < n; ++k) {
                if (kind == 1) CHECK(im[k] == 0);
                if (k > 0) CHECK((re[k - 1] < re[k] || (re[k - 1] == re[k] && im[k - 1] <= im[k])));
                if (im[k] < 0) CHECK((re[k + 1] == re[k] && im[k + 1] == -im[k]));
                if (im[k] == 0)
                    for (std::int64_t i = 0; i < n; ++i) CHECK(w[i * n + k] == 0);
            }
        }
}

TEST_CASE("eigenvalues and gradients are TensorFlow's") {
    constexpr auto a = xg::input<"a", double, 2, 5, 5>;
    constexpr auto values = std::get<0>(xg::eig(a));
    xg::function f{xg::outputs(xg::real(values), xg::imag(values), of_values(a), of_vectors(a), xg::gradient_of(of_values(a), a),
        xg::gradient_of(of_vectors(a), a))};
    from_tensorflow::compare_all(
        {"eig.re", "eig.im", "eig.values", "eig.vectors", "eig.values.a", "eig.vectors.a"}, f(a = known<double>("eig.a", {2, 5, 5})), 1e-9);
}

TEST_CASE("gradients of gradients, float, and matrices with NaN") {
    constexpr auto a = xg::input<"a", double, 3, 3>;
    constexpr auto inner = of_values(a);
    auto const numbers = test::list<double>({1, 2, 0, -3, 0.5, 1, 0.25, -1, 2});
    auto const r = xg::check_gradients(
        inner + xg::sum(xg::square(xg::gradient_of(inner, a))), xg::wrt(a), {.tolerance = 1e-5}, a = xg::array(numbers.data(), 3, 3));
    CHECK_MESSAGE(r.ok, r.message);
    constexpr auto b = xg::input<"b", float, 2, 2>;
    constexpr auto all = xg::eig(b);
    xg::function f{xg::outputs(xg::real(std::get<0>(all)), xg::imag(std::get<0>(all)), xg::real(std::get<1>(all)))};
    auto turn = test::list<float>({0, 1, -1, 0});
    auto const [re, im, v] = f(b = xg::array(turn.data(), 2, 2));
    CHECK((std::abs(re[0]) < 1e-6f && std::abs(im[0] + 1) < 1e-6f && im[1] == -im[0]));
    CHECK(std::abs(v[0]) == doctest::Approx(std::sqrt(0.5)));
    turn[2] = std::numeric_limits<float>::quiet_NaN();
    auto const [bad, bad_im, bad_v] = f(b = xg::array(turn.data(), 2, 2));
    CHECK((std::isnan(bad[0]) && std::isnan(bad_im[1]) && std::isnan(bad_v[3])));
}

TEST_CASE("roots are NumPy's, and move with the coefficients") {
    constexpr auto p = xg::input<"p", double, 7>;
    constexpr auto found = xg::roots(p);
    constexpr auto loss = xg::sum(xg::square(xg::real(found)) + xg::exp(xg::square(xg::imag(found))));
    auto const P = known<double>("roots.p", {7});
    xg::function f{xg::outputs(xg::real(found), xg::imag(found))};
    from_tensorflow::compare_all({"roots.re", "roots.im"}, f(p = P), 1e-10);
    auto const r = xg::check_gradients(loss, xg::wrt(p), {.tolerance = 1e-5}, p = P);
    CHECK_MESSAGE(r.ok, r.message);
    constexpr auto lines = xg::input<"lines", double, 3, 2>;
    constexpr auto squares = xg::input<"squares", double, 3>;
    auto const [line, pair, pair_im] = xg::function{xg::outputs(xg::real(xg::roots(lines)), xg::real(xg::roots(squares)),
        xg::imag(xg::roots(squares)))}(lines = xg::array(P.data(), 3, 2), squares = test::list<double>({2, -4, 10}));
    for (std::int64_t i = 0; i < 3; ++i) CHECK(line[i] == doctest::Approx(-P[2 * i + 1] / P[2 * i]));
    CHECK((std::abs(pair[0] - 1) < 1e-14 && std::abs(pair_im[0] + 2) < 1e-14 && pair_im[1] == -pair_im[0]));
}
