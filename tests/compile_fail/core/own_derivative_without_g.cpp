// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(\.\.\.\) of this operation returns a gradient without g, its last argument, which is the gradient of the result
// The last argument is not used: the chain rule would end here.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
    static auto value(auto a) { return a * a; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol) { return 2_c * a; }
#else
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return 2_c * g * a; }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
