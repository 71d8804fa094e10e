// SPDX-License-Identifier: MIT
// expect-error: xgrad: this elementwise_op has no value\(\.\.\.\), the function for one element
// No value.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
#else
    static auto value(auto a) { return a * a; }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
