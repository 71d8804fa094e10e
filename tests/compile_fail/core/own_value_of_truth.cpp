// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(\.\.\.\) of this elementwise_op returns another type
// A truth value of C++.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
    static auto value(auto a) { return a > decltype(a)(0); }
#else
    static auto value(auto a) { return xg::math::greater(a, decltype(a)(0)); }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
