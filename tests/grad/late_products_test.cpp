// SPDX-License-Identifier: MIT
// The gradient of a matrix that a loop's body multiplies by: one product after the loop, in place of a sum over the iterations.
// A body that is computed again keeps the sum, so both are compared.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/grad/vector_products.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/xgrad.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <limits>
#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time_steps"};
constexpr auto h = xg::input<"h", double, batch, 16>;
constexpr auto x = xg::input<"x", double, time_steps, batch, 16>;
constexpr auto w = xg::input<"w", double, 16, 16>;
constexpr auto u = xg::input<"u", double, 16, 16>;
constexpr auto n = xg::input<"n", std::int32_t>;
constexpr auto ends = xg::input<"ends", std::int32_t, batch>;

/// The left factor of the second product is computed in the body.
struct gated : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const reset = xg::sigmoid(xg::matmul(before, w) + row);
        auto const after = xg::tanh(xg::matmul(reset * before, u) + row);
        return xg::carry(after).emit(after);
    }
};
/// One matrix three times: with the carry, with the row, and transposed.
struct reused : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const middle = xg::tanh(xg::matmul(before, w) + xg::matmul(row, w));
        auto const after = xg::tanh(xg::matmul<false, true>(middle, w) + xg::matmul(before, u));
        return xg::carry(after).emit(xg::square(after));
    }
};
/// w is an operand of another operation too, so its gradient stays in the loop.
struct mixed : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::tanh(xg::matmul(before, w) + xg::matmul(row, u) * xg::sum<0>(w * xg::sum(row)));
        return xg::carry(after).emit(after);
    }
};
template<class Last, class All>
constexpr auto loss_of(Last const& last, All const& all) {
    return xg::sum(xg::square(last)) + xg::sum(all * all * all);
}
template<class Body, class Start>
constexpr auto loss_of_loop(Start const& start) {
    auto const [last, all] = xg::scan<Body>(start, x);
    return loss_of(last, all);
}
template<class Loss>
constexpr auto derivatives(Loss const& loss) {
    auto const first = xg::gradients(loss, w, u, h, x);
    auto const [at_w, at_u, at_h, at_x] = first;
    auto const second =
        xg::gradients(xg::sum(xg::sin(at_w)) + xg::sum(xg::square(at_u)) + xg::sum(xg::sin(at_h)) + xg::sum(xg::square(at_x)), w, u, h, x);
    return test::list_of(std::tuple_cat(first, second));
}
template<class A, class B>
void check_equal(A const& a, B const& b, double tolerance = 1e-11) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto check = [&](std::size_t k, auto const& p, auto const& q) {
            REQUIRE(p.size() == q.size());
            for (std::int64_t i = 0; i < p.size(); ++i) {
                INFO(k << ' ' << i);
                CHECK(p[i] == doctest::Approx(q[i]).epsilon(tolerance).scale(1));
            }
        };
        (check(K, std::get<K>(a), std::get<K>(b)), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
}
auto const W = test::numbers<double>({16, 16}, -0.3, 0.3, 1), U = test::numbers<double>({16, 16}, -0.3, 0.3, 2),
           H = test::numbers<double>({2, 16}, -1, 1, 3);
template<class List, class... Given>
void check_lists(List const& late, auto const& in_loop, Given const&... given) {
    test::function_of<List, true> f{late};
    test::function_of<std::remove_cvref_t<decltype(in_loop)>, false> g{in_loop};
    check_equal(f(given..., w = W, u = U, h = H), g(given..., w = W, u = U, h = H));
}
template<class Body>
std::string text_of() {
    constexpr auto loss = loss_of_loop<Body>(xg::carry(h));
    constexpr auto g = xg::gradients(loss, w, u);
    return xg::describe<decltype(xg::function{xg::outputs(std::get<0>(g), std::get<1>(g))})>();
}
}

TEST_CASE("two matrices of a body: the loop of the gradient sums nothing") {
    CHECK(text_of<gated>().find("summed") == std::string::npos);
    CHECK(text_of<mixed>().find("summed") != std::string::npos);
    CHECK(text_of<xg::recompute<gated>>().find("summed") != std::string::npos);
}
TEST_CASE("two derivatives are those of the sum in the loop; no iterations give zeros") {
    auto check = []<class Body>(std::type_identity<Body>) {
        for (std::int64_t length : {3, 0})
            check_lists(derivatives(loss_of_loop<Body>(xg::carry(h))), derivatives(loss_of_loop<xg::recompute<Body>>(xg::carry(h))),
                x = test::numbers<double>({length, 2, 16}, -1, 1, 4));
    };
    check(std::type_identity<gated>{});
    check(std::type_identity<reused>{});
    check(std::type_identity<mixed>{});
}
TEST_CASE("the gradients of a loop are those of the body written out three times, and of finite differences") {
    constexpr auto row = []<int T>(std::integral_constant<int, T>) {
        return xg::squeeze<0>(xg::slice<0, T, T + 1>(xg::input<"rows", double, 3, batch, 16>));
    };
    constexpr auto rows = xg::input<"rows", double, 3, batch, 16>;
    auto step = []<class B, class R>(B const& before, R const& r) {
        auto const reset = xg::sigmoid(xg::matmul(before, w) + r);
        return xg::tanh(xg::matmul(reset * before, u) + r);
    };
    constexpr auto a = step(h, row(std::integral_constant<int, 0>{}));
    constexpr auto b = step(a, row(std::integral_constant<int, 1>{}));
    constexpr auto c = step(b, row(std::integral_constant<int, 2>{}));
    constexpr auto written = xg::sum(xg::square(c)) + xg::sum(a * a * a) + xg::sum(b * b * b) + xg::sum(c * c * c);
    auto const [last, all] = xg::scan<gated>(xg::carry(h), rows);
    auto const loop = loss_of(last, all);
    auto const X = test::numbers<double>({3, 2, 16}, -1, 1, 4);
    check_lists(test::list_of(xg::gradients(loop, w, u, h)), test::list_of(xg::gradients(written, w, u, h)), rows = X);
    auto const r = xg::check_gradients(loop, xg::wrt(w, u), w = W, u = U, h = H, rows = X);
    CHECK_MESSAGE(r.ok, r.message);
}
TEST_CASE("fewer iterations than there is memory for, and rows that end: NaN after the end changes nothing") {
    auto X = test::numbers<double>({5, 2, 16}, -1, 1, 4);
    for (std::int64_t i = 2 * 32; i < X.size(); ++i) X[i] = std::numeric_limits<double>::quiet_NaN();
    for (int count : {2, 0})
        check_lists(derivatives(loss_of_loop<reused>(xg::carry(h).turns(n))),
            derivatives(loss_of_loop<xg::recompute<reused>>(xg::carry(h).turns(n))), x = X, n = count);
    for (std::int64_t i = 16; i < 32; ++i) X[32 + i] = std::numeric_limits<double>::quiet_NaN();
    test::tensor<std::int32_t> E({2});
    E[0] = 2;
    E[1] = 1;
    check_lists(derivatives(loss_of_loop<gated>(xg::carry(h).lengths(ends))),
        derivatives(loss_of_loop<xg::recompute<gated>>(xg::carry(h).lengths(ends))), x = X, ends = E);
}
namespace {
struct of_sequence : xg::region {
    static constexpr auto value(auto rows) {
        auto const [last, all] = xg::scan<gated>(xg::carry(h), rows);
        return last + xg::matmul(last, w);
    }
};
struct recomputed_sequence : xg::recompute<xg::region> {
    static constexpr auto value(auto rows) {
        auto const [last, all] = xg::scan<xg::recompute<gated>>(xg::carry(h), rows);
        return last + xg::matmul(last, w);
    }
};
}
TEST_CASE("checkpoints, loops in a map, and the derivative along a direction") {
    check_lists(derivatives(loss_of_loop<xg::gradient_checkpoints<gated, 2>>(xg::carry(h))),
        derivatives(loss_of_loop<xg::recompute<gated>>(xg::carry(h))), x = test::numbers<double>({5, 2, 16}, -1, 1, 4));
    constexpr auto many = xg::input<"many", double, 3, time_steps, batch, 16>;
    check_lists(test::list_of(xg::gradients(xg::sum(xg::square(xg::map<of_sequence>(many))), w, u, h, many)),
        test::list_of(xg::gradients(xg::sum(xg::square(xg::map<recomputed_sequence>(many))), w, u, h, many)),
        many = test::numbers<double>({3, 2, 2, 16}, -1, 1, 4));
    static constexpr auto direction = xg::input<"direction", double, 16, 16>;
    constexpr auto along = [](auto loss) { return test::list_of(std::tuple{xg::jvp(loss, w, direction), xg::jvp(xg::gradient_of(loss, w), w, direction)}); };
    check_lists(along(loss_of_loop<gated>(xg::carry(h))), along(loss_of_loop<xg::recompute<gated>>(xg::carry(h))),
        x = test::numbers<double>({3, 2, 16}, -1, 1, 4), direction = test::numbers<double>({16, 16}, -1, 1, 9));
}
