// SPDX-License-Identifier: MIT
// Linear algebra compared with JAX and NumPy: values and gradients of two matrices each. tests/reference/linalg.py.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/linalg.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim n{"n"};

auto const& reference() {
    static auto const all = test::read_reference("linalg.txt");
    return all;
}
test::tensor<double> known(std::string const& name, std::vector<std::int64_t> shape) {
    test::tensor<double> r(std::move(shape));
    std::vector<double> const& numbers = reference().at(name);
    REQUIRE(static_cast<std::int64_t>(numbers.size()) == r.size());
    std::copy(numbers.begin(), numbers.end(), r.data());
    return r;
}
template<class R>
void check_known(std::string const& name, R const& result, double tolerance = 1e-10) {
    std::vector<double> const& e = reference().at(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == result.size());
    test::check_near(
        name.c_str(), result, [&](std::int64_t i) { return static_cast<long double>(e[static_cast<std::size_t>(i)]); }, tolerance);
}
constexpr auto a = xg::input<"a", double, batch, n, n>;
constexpr auto w = xg::input<"w", double, batch, n, n>;
constexpr auto b = xg::input<"b", double, batch, n, 3>;
constexpr auto wb = xg::input<"wb", double, batch, n, 3>;
constexpr auto first_row = xg::squeeze<1>(xg::slice<1, 0, 1>(w));
}

TEST_CASE("Cholesky factors, logdet and symmetric eigenvalues") {
    constexpr auto c = xg::cholesky(a);
    constexpr auto log_size = xg::logdet(a);
    constexpr auto pair = xg::eigh(a);
    constexpr auto values = std::get<0>(pair);
    constexpr auto squares = xg::square(std::get<1>(pair));
    constexpr auto both = xg::matmul(std::get<1>(pair), xg::expand_dims<-1>(values) * xg::matmul<true>(std::get<1>(pair), b));
    xg::function f{xg::outputs(c, xg::gradient_of(xg::sum(w * c), a), log_size,
        xg::gradient_of(xg::sum(xg::squeeze<1>(xg::slice<1, 0, 1>(first_row)) * log_size), a), values,
        xg::gradient_of(xg::sum(first_row * values), a), squares, xg::gradient_of(xg::sum(w * squares), a), both, xg::matmul(a, b))};
    for (std::string const k : {"4", "7"}) {
        std::int64_t const size = std::stol(k);
        auto const [l, gl, logs, glogs, e, ge, v, gv, composed, product] =
            f(a = known("s" + k, {2, size, size}), w = known("w" + k, {2, size, size}), b = known("b" + k, {2, size, 3}));
        check_known("cholesky" + k, l);
        check_known("cholesky" + k + ".x", gl);
        check_known("logdet" + k, logs);
        check_known("logdet" + k + ".x", glogs);
        check_known("values" + k, e);
        check_known("values" + k + ".x", ge);
        check_known("squared_vectors" + k, v);
        check_known("squared_vectors" + k + ".x", gv);
        test::check_near(
            "v e vᵀ b", composed, [&](std::int64_t i) { return static_cast<long double>(product[i]); }, 1e-12);
    }
}

TEST_CASE("systems, inverses and determinants") {
    constexpr auto x = xg::solve(a, b);
    constexpr auto inverse = xg::inverse(a);
    constexpr auto det = xg::det(a);
    constexpr auto sign_and_log = xg::slogdet(a);
    constexpr auto one = xg::squeeze<1>(xg::slice<1, 0, 1>(first_row));
    constexpr auto loss = xg::sum(wb * x);
    xg::function f{xg::outputs(x, xg::gradient_of(loss, a), xg::gradient_of(loss, b), inverse, xg::gradient_of(xg::sum(w * inverse), a),
        det, xg::gradient_of(xg::sum(one * det), a), std::get<0>(sign_and_log), std::get<1>(sign_and_log),
        xg::gradient_of(xg::sum(one * (std::get<0>(sign_and_log) + std::get<1>(sign_and_log))), a))};
    for (std::string const k : {"4", "7"}) {
        std::int64_t const size = std::stol(k);
        auto const [y, ga, gb, i, gi, d, gd, sign, logs, glogs] = f(a = known("a" + k, {2, size, size}),
            w = known("w" + k, {2, size, size}), b = known("b" + k, {2, size, 3}), wb = known("wb" + k, {2, size, 3}));
        check_known("solve" + k, y);
        check_known("solve" + k + ".x", ga);
        check_known("solve" + k + ".b", gb);
        check_known("inverse" + k, i);
        check_known("inverse" + k + ".x", gi);
        check_known("det" + k, d);
        check_known("det" + k + ".x", gd);
        check_known("sign" + k, sign, 0);
        check_known("log_abs_det" + k, logs);
        check_known("log_abs_det" + k + ".x", glogs);
    }
}

TEST_CASE("triangular systems: the other triangle is not read") {
    constexpr auto lower = xg::triangular_solve<xg::triangle::lower>(a, b);
    constexpr auto lower_transposed = xg::triangular_solve<xg::triangle::lower, true>(a, b);
    constexpr auto upper = xg::triangular_solve<xg::triangle::upper>(w, b);
    constexpr auto upper_transposed = xg::triangular_solve<xg::triangle::upper, true>(w, b);
    xg::function f{xg::outputs(lower, xg::gradient_of(xg::sum(wb * lower), a), xg::gradient_of(xg::sum(wb * lower), b), lower_transposed,
        xg::gradient_of(xg::sum(wb * lower_transposed), a), xg::gradient_of(xg::sum(wb * lower_transposed), b), upper,
        xg::gradient_of(xg::sum(wb * upper), w), xg::gradient_of(xg::sum(wb * upper), b), upper_transposed,
        xg::gradient_of(xg::sum(wb * upper_transposed), w), xg::gradient_of(xg::sum(wb * upper_transposed), b))};
    for (std::string const k : {"4", "7"}) {
        std::int64_t const size = std::stol(k);
        auto low = known("a" + k, {2, size, size}), up = low;
        for (std::int64_t i = 0; i < low.size(); ++i) {
            std::int64_t const r = i / size % size, c = i % size;
            low[i] = c > r ? std::numeric_limits<double>::quiet_NaN() : low[i] + 3.0 * (r == c);
            up[i] = c < r ? std::numeric_limits<double>::quiet_NaN() : up[i] + 3.0 * (r == c);
        }
        auto const [l, gl, bl, lt, glt, blt, u, gu, bu, ut, gut, but] =
            f(a = low, w = up, b = known("b" + k, {2, size, 3}), wb = known("wb" + k, {2, size, 3}));
        check_known("lower" + k, l);
        check_known("lower" + k + ".x", gl);
        check_known("lower" + k + ".b", bl);
        check_known("lower_transposed" + k, lt);
        check_known("lower_transposed" + k + ".x", glt);
        check_known("lower_transposed" + k + ".b", blt);
        check_known("upper" + k, u);
        check_known("upper" + k + ".x", gu);
        check_known("upper" + k + ".b", bu);
        check_known("upper_transposed" + k, ut);
        check_known("upper_transposed" + k + ".x", gut);
        check_known("upper_transposed" + k + ".b", but);
    }
}

TEST_CASE("QR of tall and wide matrices") {
    constexpr auto x = xg::input<"x", double, batch, 7, 4>;
    constexpr auto y = xg::input<"y", double, batch, 3, 5>;
    constexpr auto wq = xg::input<"wq", double, batch, 7, 4>;
    constexpr auto wr = xg::input<"wr", double, batch, 4, 4>;
    constexpr auto tall = xg::qr(x);
    constexpr auto wide = xg::qr(y);
    constexpr auto of_q = xg::sum(wq * std::get<0>(tall));
    constexpr auto of_r = xg::sum(wr * std::get<1>(tall));
    xg::function f{xg::outputs(std::get<0>(tall), std::get<1>(tall), xg::gradient_of(of_q + of_r, x), xg::gradient_of(of_q, x),
        xg::gradient_of(of_r, x), std::get<0>(wide), std::get<1>(wide))};
    auto const [q, r, both, alone_q, alone_r, wide_q, wide_r] =
        f(x = known("tall", {2, 7, 4}), y = known("wide", {2, 3, 5}), wq = known("tall.wq", {2, 7, 4}), wr = known("tall.wr", {2, 4, 4}));
    check_known("tall.q", q);
    check_known("tall.r", r);
    check_known("tall.both", both);
    check_known("tall.q_alone", alone_q);
    check_known("tall.r_alone", alone_r);
    check_known("wide.q", wide_q);
    check_known("wide.r", wide_r);
}
