// SPDX-License-Identifier: MIT
// expect-error: xgrad: a struct with value\(\) is used in an expression and is not an expression
// No base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
struct block {
#else
struct block : xg::let<block> {
#endif
    static constexpr auto value() { return 2_c * x; }
};
constexpr auto z = xg::exp(block{});
