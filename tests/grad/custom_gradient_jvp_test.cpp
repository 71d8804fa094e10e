// SPDX-License-Identifier: MIT
// jvp of a body whose gradient the user writes, linear in g: it is the transpose of the user's gradient, also in bodies.
#include <support/copy.hpp>
#include <support/tensor.hpp>

#include <xgrad/grad/jacobian.hpp>
#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", double, 3, 4>;
constexpr auto w = xg::input<"w", double, 4, 2>;
constexpr auto tx = xg::input<"tx", double, 3, 4>;
constexpr auto tw = xg::input<"tw", double, 4, 2>;
constexpr auto s = xg::input<"s", double, 3, 2>;
constexpr auto scale = xg::input<"scale", double>;
constexpr auto rows = xg::input<"rows", double, 5, 4>;
constexpr auto h = xg::input<"h", double, 4>;
constexpr auto th = xg::input<"th", double, 4>;
constexpr auto labels = xg::input<"labels", std::int32_t, 4>;

// The gradients are not those of the bodies, so that their use shows.
struct product : xg::region {
    static constexpr auto value(auto a, auto b) { return xg::tanh(xg::matmul(a, b)); }
};
struct product_back : xg::region {
    static constexpr auto value(auto a, auto b, auto y, auto g) {
        auto const slope = g * (2_c + y) * scale;
        return std::tuple(xg::matmul(slope, xg::transpose(b)), xg::matmul(xg::transpose(a), slope));
    }
};
constexpr auto y = xg::custom_gradient<product, product_back>(xg::sin(x), w);

struct both : xg::region {
    static constexpr auto value(auto a) { return std::tuple(xg::exp(a), xg::sum(a)); }
};
struct weighted : xg::region {
    static constexpr auto value(auto a, auto g) { return g * xg::cos(a); }
};
struct plain : xg::region {
    static constexpr auto value(auto, auto g) { return 3_c * g; }
};
struct turn : xg::region {
    static constexpr auto value(auto g, auto row) { return xg::carry(g * row).emit(g); }
};
// With a call, a cond and a scan, through which it is linear.
struct both_back : xg::region {
    static constexpr auto value(auto a, auto, auto total, auto g, auto of_total) {
        auto const chosen = xg::cond<weighted, plain>(xg::greater(total, 0_c), a, g) + xg::call<weighted>(a, of_total * xg::square(a));
        return chosen + xg::sum<0>(std::get<1>(xg::scan<turn>(xg::carry(g), rows)));
    }
};
constexpr auto z = [] {
    auto const [e, total] = xg::custom_gradient<both, both_back>(h);
    return xg::sin(e) * total;
}();

struct sine : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct steep : xg::region {
    static constexpr auto value(auto a, auto b, auto g) { return g * xg::exp(a) * b; }
};
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const next = xg::tanh(xg::custom_gradient<sine, steep>(before) + row);
        return xg::carry(next).emit(next);
    }
};
constexpr auto looped = xg::sum<0>(std::get<1>(xg::scan<cell>(xg::carry(h), rows)));

template<class A, class B>
double product_of(A const& a, B const& b) {
    double r = 0;
    REQUIRE(a.size() == b.size());
    for (std::int64_t i = 0; i < a.size(); ++i) r += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return r;
}
auto const H = test::numbers<double>({4}, -1, 1, 6), TH = test::numbers<double>({4}, -1, 1, 7),
           ROWS = test::numbers<double>({5, 4}, -1, 1, 8);
}

TEST_CASE("the transpose of a gradient by two arguments, and only forward steps in the plan") {
    constexpr auto along = xg::jvp(y, std::tuple(x, w), std::tuple(tx, tw));
    constexpr auto back = xg::gradients(y, xg::grad_ys(s), x, w);
    xg::function f{xg::outputs(along, std::get<0>(back), std::get<1>(back), xg::jvp(y, w, tw), xg::jacobian(y, w))};
    auto const X = test::numbers<double>({3, 4}), W = test::numbers<double>({4, 2}, -1, 1, 2), TX = test::numbers<double>({3, 4}, -1, 1, 3);
    auto const TW = test::numbers<double>({4, 2}, -1, 1, 4), S = test::numbers<double>({3, 2}, -1, 1, 5);
    auto const [t, gx, gw, of_w, matrix] = f(x = X, w = W, tx = TX, tw = TW, s = S, scale = 1.5);
    CHECK(product_of(t, S) == doctest::Approx(product_of(gx, TX) + product_of(gw, TW)).epsilon(1e-13));
    for (int i = 0; i < 6; ++i) {
        double sum = 0;
        for (int k = 0; k < 8; ++k) sum += matrix[8 * i + k] * TW[k];
        CHECK(of_w[i] == doctest::Approx(sum).epsilon(1e-13));
    }
    xg::function only{along};
    std::string const text = xg::describe(only);
    int calls = 0;
    for (auto const& step : decltype(only)::program_type::plan.steps) calls += step.kind == xg::planner::step_kind::region;
    CHECK_MESSAGE(calls == 2, text);   // the body, and the transpose
}
TEST_CASE("several results, and a gradient with bodies") {
    constexpr auto along = xg::jvp(z, h, th);
    xg::function f{xg::outputs(along, xg::vjp(z, h, xg::cos(h)), xg::cos(h), xg::jvp(along, h, th), xg::jacobian(z, h))};
    auto const [t, g, seed, second, matrix] = f(h = H, th = TH, rows = ROWS);
    CHECK(product_of(t, seed) == doctest::Approx(product_of(g, TH)).epsilon(1e-13));
    for (int i = 0; i < 4; ++i) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += matrix[4 * i + k] * TH[k];
        CHECK(t[i] == doctest::Approx(sum).epsilon(1e-13));
    }
    CHECK(second.size() == 4);
}
TEST_CASE("in a loop, and a second derivative along the direction") {
    constexpr auto along = xg::jvp(looped, h, th);
    xg::function f{xg::outputs(along, xg::vjp(looped, h, xg::cos(h)), xg::cos(h))};
    auto const [t, g, seed] = f(h = H, th = TH, rows = ROWS);
    CHECK(product_of(t, seed) == doctest::Approx(product_of(g, TH)).epsilon(1e-13));

    constexpr auto once = xg::custom_gradient<sine, steep>(h);   // the tangent is t * exp(h) * sin(h)
    constexpr auto first = xg::jvp(once, h, th);
    xg::function second{xg::outputs(first, xg::jvp(first, h, th), xg::gradient_of(xg::sum(first), h))};
    auto const [a, b, c] = second(h = H, th = TH);
    for (int i = 0; i < 4; ++i) {
        // of sin(h) the tangent is that of the user again
        double const e = std::exp(H[i]), y0 = std::sin(H[i]), slope = TH[i] * e * (y0 + e * y0);
        CHECK(a[i] == doctest::Approx(TH[i] * e * y0).epsilon(1e-14));
        CHECK(b[i] == doctest::Approx(TH[i] * slope).epsilon(1e-13));
        CHECK(c[i] == doctest::Approx(slope).epsilon(1e-13));
    }
}
