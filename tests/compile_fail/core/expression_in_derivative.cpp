// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is used inside derivative\(\.\.\.\), which computes with symbols
// An input inside a derivative.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto b = xg::variable<"b", float, 3>;

struct half_op : xg::elementwise_op {
    static constexpr std::string_view name = "half";
    static auto value(auto a) { return a / decltype(a)(2); }
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) {
#ifdef XGRAD_EXPECT_ERROR
        return g * b;
#else
        return g / 2_c;
#endif
    }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::elementwise<half_op>{}(x);
#else
constexpr auto z = xg::elementwise<half_op>{}(x);
#endif
