// SPDX-License-Identifier: MIT
// expect-error: xgrad: this struct is not an operation
// No base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
struct my_op {
#else
struct my_op : xg::elementwise_op {
#endif
    static constexpr std::string_view name = "my";
    static auto value(auto a) { return a * a; }
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
