// SPDX-License-Identifier: MIT
// expect-error: xgrad: a comparison of SIMD batches is used in if or \?:, but each lane has a separate answer
// If in value: each lane has its own answer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
    static auto value(auto a) {
        if (a > decltype(a)(0)) return a;
        return -a;
    }
#else
    static auto value(auto a) { return xg::math::where(xg::math::greater(a, decltype(a)(0)), a, -a); }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
