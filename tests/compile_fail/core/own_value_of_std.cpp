// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(\.\.\.\) of this elementwise_op returns another type
// more errors: the batch says the same
// A function of the standard library.
#include <xgrad/xgrad.hpp>

#include <cmath>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
    static auto value(auto a) { return std::exp(a); }
#else
    static auto value(auto a) { return xg::math::exp(a); }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
