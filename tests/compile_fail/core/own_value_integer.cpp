// SPDX-License-Identifier: MIT
// expect-error: xgrad: a number of another type is combined with a SIMD batch
// An integer next to a batch of float.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
#ifdef XGRAD_EXPECT_ERROR
    static auto value(auto a) { return 1 - a; }
#else
    static auto value(auto a) { return decltype(a)(1) - a; }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
