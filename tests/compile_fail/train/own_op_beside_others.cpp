// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches an operation without derivative
// Another variable has a gradient, so training would continue without w. No gradient reaches an operation that stop_gradient, integers or
// truth values keep it from.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct cube_op : xg::elementwise_op {
    static constexpr std::string_view name = "cube";
    static auto value(auto a) { return a * a * a; }
};
struct level_op : xg::elementwise_op {
    static constexpr std::string_view name = "level";
    static auto value(auto a) { return a + a; }
};
struct above_op : xg::elementwise_op {
    static constexpr std::string_view name = "above";
    static constexpr bool returns_boolean = true;
    static auto value(auto a) { return xg::math::less(decltype(a)(0), a); }
};
inline constexpr xg::elementwise<level_op> level{};
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto b = xg::variable<"b", float, 4>;
float step() {
    constexpr auto kept = level(xg::stop_gradient(w)) + xg::cast<float>(level(xg::cast<std::int32_t>(w))) + level(xg::cast<float>(xg::argsort(w)));
    constexpr auto chosen = xg::select(xg::elementwise<above_op>{}(w), b, kept);
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::sum(xg::elementwise<cube_op>{}(w) + chosen), xg::adam{});
#else
    auto train = xg::minimize(xg::sum(xg::elementwise<cube_op>{}(xg::stop_gradient(w)) + chosen), xg::adam{});
#endif
    return train();
}
