// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(\.\.\.\) of this elementwise_op takes single numbers only, but its body also runs on SIMD batches
// value takes float, and the loops run on batches.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
    static float value(float a) { return a * a; }
#else
    static auto value(auto a) { return a * a; }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
