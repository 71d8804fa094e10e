// SPDX-License-Identifier: MIT
// expect-error: xgrad: a property of this elementwise_op is not a constant
// A property that could change while a program runs.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
    static auto value(auto a, auto b) { return a * b; }
#ifdef XGRAD_EXPECT_ERROR
    static inline bool commutative = true;
#else
    static constexpr bool commutative = true;
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x, x);
