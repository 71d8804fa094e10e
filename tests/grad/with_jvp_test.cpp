// SPDX-License-Identifier: MIT
// Tangents that the user writes: their transposes, second derivatives and loops, against jax.custom_jvp.
#include "derivatives.hpp"

#include <support/function_of.hpp>

#include <xgrad/grad/with_jvp.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace derivatives;
using test::function_of, test::list_of;
constexpr double tight = tolerance<double>;

struct layer : xg::region {
    static constexpr auto value(auto x, auto w, auto n) {
        return std::tuple{xg::tanh(xg::matmul(x, w)) * xg::cast<double>(n), xg::sum(x * x)};
    }
};
// Not the derivative of the body, so that its use shows.
struct layer_tangent : xg::region {
    static constexpr auto value(auto x, auto w, auto n, auto tx, auto tw) {
        return std::tuple{3_c * xg::cast<double>(n) * xg::matmul(tx, w) * xg::cos(xg::matmul(x, w)) + xg::matmul(x, tw), xg::sum(x * tx)};
    }
};
struct turned : xg::region {
    static constexpr auto value(auto h, auto w) { return xg::tanh(xg::matmul(h, w)); }
};
struct turned_tangent : xg::region {
    static constexpr auto value(auto h, auto w, auto th, auto tw) {
        return 2_c * xg::matmul(th, w) * xg::cos(xg::matmul(h, w)) + xg::matmul(xg::tanh(h), tw);
    }
};
constexpr auto w = xg::input<"w", double, 3, 3>;
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        constexpr auto next = xg::with_jvp<turned, turned_tangent>(h + row, w);
        return xg::carry(next).emit(next * next);
    }
};
}

TEST_CASE("a tangent, its transpose and second derivatives, with an integer and two results") {
    constexpr auto x = xg::input<"x", double, 3, 4>;
    constexpr auto u = xg::input<"u", double, 4, 5>;
    constexpr auto n = xg::input<"n", std::int32_t>;
    constexpr auto tx = xg::input<"tx", double, 3, 4>;
    constexpr auto tu = xg::input<"tu", double, 4, 5>;
    auto const [y, z] = xg::with_jvp<layer, layer_tangent>(x, u, n);
    auto const loss = xg::sum(xg::sin(y)) * (1_c + z);
    auto const xs = std::tuple{x, u};
    auto const ts = std::tuple{tx, tu};
    auto const [gx, gu] = xg::gradients(loss, x, u);
    auto const list = list_of(std::tuple{y, gx, gu, xg::jvp(y, xs, ts), xg::jvp(z, xs, ts), xg::jvp(gu, xs, ts), xg::vjp(gu, x, tu),
        xg::vjp(xg::jvp(loss, xs, ts), u, xg::constant<double, 1>)});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const [vy, vgx, vgu, along, along_z, of_gradient, of_gradient_x, of_tangent] =
        f(x = numbers(0, {3, 4}), u = numbers(1, {4, 5}), n = 2, tx = numbers(4, {3, 4}), tu = numbers(5, {4, 5}));
    check_jax("given y", vy, tight);
    check_jax("given grad_x", vgx, tight);
    check_jax("given grad_w", vgu, tight);
    check_jax("given jvp", along, tight);
    CHECK(static_cast<double>(along_z) == doctest::Approx(of_jax("given jvp_z")[0]).epsilon(tight));
    check_jax("given jvp_of_grad_w", of_gradient, tight);
    check_jax("given grad_of_grad_x", of_gradient_x, tight);
    check_jax("given grad_of_jvp_w", of_tangent, tight);
}
TEST_CASE("a tangent in the body of a loop") {
    constexpr auto rows = xg::input<"rows", double, 4, 2, 3>;
    constexpr auto h = xg::input<"h", double, 2, 3>;
    constexpr auto t = xg::input<"t", double, 3, 3>;
    constexpr auto y = xg::sum(std::get<1>(xg::scan<cell>(xg::carry(h), rows)));
    auto const list = list_of(std::tuple{y, xg::gradient_of(y, w), xg::jvp(y, w, t)});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const [v, g, along] = f(rows = numbers(10, {4, 2, 3}), h = numbers(11, {2, 3}), w = numbers(12, {3, 3}), t = numbers(13, {3, 3}));
    CHECK(static_cast<double>(v) == doctest::Approx(of_jax("turns y")[0]).epsilon(tight));
    check_jax("turns grad", g, tight);
    CHECK(static_cast<double>(along) == doctest::Approx(of_jax("turns jvp")[0]).epsilon(tight));
}
