// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(...\) of this operation has another form
// The result is omitted.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice_op : xg::elementwise_op {
    static constexpr std::string_view name = "twice";
    static auto value(auto a) { return a + a; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol g) { return g + g; }
#else
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
#endif
};
inline constexpr xg::elementwise<twice_op> twice{};
constexpr auto z = twice(x);
