// SPDX-License-Identifier: MIT
// Complex numbers: every function compared with std::complex, shapes, gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/complex.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class T>
void check_near(auto const& y, std::int64_t i, std::complex<T> const& expected) {
    std::complex<T> const found(y[2 * i], y[2 * i + 1]);
    CHECK_MESSAGE(std::abs(found - expected) <= 8 * std::numeric_limits<T>::epsilon() * std::abs(expected), found.real(), " ", found.imag(),
        ", not ", expected.real(), " ", expected.imag());
}
template<class... Z>
auto pairs(Z const&... z) {
    return xg::outputs(xg::view_as_real(z)...);
}
}

TEST_CASE_TEMPLATE("arithmetic and functions are those of std::complex", T, float, double) {
    constexpr auto a = xg::input<"a", T, batch, 2>;
    constexpr auto b = xg::input<"b", T, batch, 2>;
    constexpr auto r = xg::input<"r", T>;
    auto const z = xg::view_as_complex(a);
    auto const w = xg::view_as_complex(b);
    xg::function arithmetic{pairs(z + w, z - w, z * w, z / w, -z, z + r, r - z, r * z, r / z, z / r, xg::conj(z))};
    xg::function functions{
        pairs(xg::square(z), xg::exp(z), xg::log(z), xg::sqrt(z), xg::complex(xg::abs(z), xg::angle(z)), xg::complex(r))};
    std::vector<std::complex<T>> const x{{1, 2}, {-3, 0.5}, {-0.25, -4}, {T(1e15), T(-2e15)}, {T(1e-15), T(3e-15)}, {-2, 0}, {0, 1}},
        y{{0.5, -1}, {2, 2}, {-1, 3}, {T(3e15), T(1e15)}, {T(2e-15), T(-1e-15)}, {0, -3}, {4, 0}};
    T const real = T(1.5);
    auto const [sum, difference, product, quotient, negative, plus, minus, times, over, part, conjugate] =
        arithmetic(a = xg::complex_array(x, 7), b = xg::complex_array(y, 7), r = real);
    for (std::size_t k = 0; k < x.size(); ++k) {
        auto const i = static_cast<std::int64_t>(k);
        check_near(sum, i, x[k] + y[k]);
        check_near(difference, i, x[k] - y[k]);
        check_near(product, i, x[k] * y[k]);
        check_near(quotient, i, x[k] / y[k]);
        check_near(negative, i, -x[k]);
        check_near(plus, i, x[k] + real);
        check_near(minus, i, real - x[k]);
        check_near(times, i, real * x[k]);
        check_near(over, i, real / x[k]);
        check_near(part, i, x[k] / real);
        check_near(conjugate, i, std::conj(x[k]));
    }
    auto const [squares, powers, logarithms, roots, polar, whole] = functions(a = xg::complex_array(x, 7), r = real);
    for (std::size_t k = 0; k < x.size(); ++k) {
        auto const i = static_cast<std::int64_t>(k);
        check_near(squares, i, x[k] * x[k]);
        if (k != 3) check_near(powers, i, std::exp(x[k]));
        check_near(logarithms, i, std::log(x[k]));
        check_near(roots, i, std::sqrt(x[k]));
        check_near(polar, i, std::complex<T>(std::abs(x[k]), std::arg(x[k])));
    }
    CHECK(whole[0] == real);
    CHECK(whole[1] == 0);
}

TEST_CASE("products of matrices, sums, shapes, comparisons, real operands that broadcast") {
    constexpr auto a = xg::input<"a", double, 2, 3, 2>;
    constexpr auto b = xg::input<"b", double, 3, 4, 2>;
    constexpr auto v = xg::input<"v", double, 3, 1>;
    auto const z = xg::view_as_complex(a);
    auto const w = xg::view_as_complex(b);
    auto const turned = xg::transpose(z);
    xg::function f{xg::outputs(xg::view_as_real(xg::matmul(z, w)), xg::view_as_real(xg::matmul<true, false>(xg::conj(w), w)),
        xg::view_as_real(xg::sum<1>(z)), xg::view_as_real(xg::mean(z)), xg::view_as_real(xg::matmul(z, xg::real(w))),
        xg::view_as_real(xg::reshape<6>(xg::concat<0>(xg::slice<0, 0, 1>(turned), xg::slice<0, 1, 3>(turned)))), xg::view_as_real(w + v),
        xg::equal(z, z), xg::not_equal(z, xg::conj(z)))};
    auto const x = test::numbers<double>({2, 3, 2}, -1, 1, 1), y = test::numbers<double>({3, 4, 2}, -1, 1, 2);
    auto const u = test::list<double>({1, 2, 3});
    auto const [product, hermitian, sums, average, real_product, reshaped, broadcast, same, other] =
        f(a = x, b = y, v = xg::array(u.data(), 3, 1));
    auto const at = [](auto const& t, std::int64_t i) { return std::complex<double>(t[2 * i], t[2 * i + 1]); };
    for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t j = 0; j < 4; ++j) {
            std::complex<double> s = 0, r = 0;
            for (std::int64_t k = 0; k < 3; ++k) {
                s += at(x, i * 3 + k) * at(y, k * 4 + j);
                r += at(x, i * 3 + k) * at(y, k * 4 + j).real();
            }
            CHECK(std::abs(at(product, i * 4 + j) - s) < 1e-15);
            CHECK(std::abs(at(real_product, i * 4 + j) - r) < 1e-15);
        }
    for (std::int64_t i = 0; i < 4; ++i) {
        CHECK(std::abs(at(hermitian, i * 4 + i).imag()) < 1e-15);
        for (std::int64_t j = 0; j < 4; ++j) CHECK(std::abs(at(hermitian, i * 4 + j) - std::conj(at(hermitian, j * 4 + i))) < 1e-15);
    }
    CHECK(std::abs(at(sums, 1) - (at(x, 3) + at(x, 4) + at(x, 5))) < 1e-15);
    std::complex<double> all = 0;
    for (std::int64_t i = 0; i < 6; ++i) {
        all += at(x, i);
        CHECK(at(reshaped, i) == at(x, i % 2 * 3 + i / 2));
        CHECK(same[i]);
        CHECK(other[i]);
    }
    CHECK(std::abs(at(average, 0) - all / 6.0) < 1e-15);
    for (std::int64_t i = 0; i < 12; ++i) CHECK(at(broadcast, i) == at(y, i) + u[i / 4]);
}

TEST_CASE("gradients: real and imaginary parts as TensorFlow's gradient has them, of second order too") {
    constexpr auto a = xg::input<"a", double, 3, 2>;
    constexpr auto b = xg::input<"b", double, 3, 2>;
    auto const z = xg::view_as_complex(a);
    auto const w = xg::view_as_complex(b);
    // |z|² has the gradient 2 z.
    auto const g = xg::view_as_complex(xg::gradient_of(xg::sum(xg::real(z * xg::conj(z))), a));
    xg::function f{xg::view_as_real(g - 2_c * z)};
    auto const x = test::numbers<double>({3, 2}, 0.5, 1.5, 3), y = test::numbers<double>({3, 2}, -1.5, -0.5, 4);
    for (double d : f(a = x)) CHECK(d == 0);
    auto const loss = xg::sum(xg::abs(z / w)) + xg::sum(xg::real(xg::exp(z) * xg::log(w)) * xg::angle(z)) + xg::sum(xg::imag(xg::sqrt(w)));
    auto const first = xg::check_gradients(loss, xg::wrt(a, b), a = x, b = y);
    CHECK_MESSAGE(first.ok, first.message);
    auto const second = xg::check_gradients(xg::sum(xg::square(xg::gradient_of(loss, b))), xg::wrt(a, b), a = x, b = y);
    CHECK_MESSAGE(second.ok, second.message);
}
