// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(\) of a struct derived from xgrad::let<\.\.\.> does not return an expression
// value returns a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct block : xg::let<block> {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value() { return 2.0f; }
#else
    static constexpr auto value() { return 2_c * x; }
#endif
};
constexpr auto z = xg::exp(block{});
