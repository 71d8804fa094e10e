// SPDX-License-Identifier: MIT
// expect-error: xgrad: a struct derived from xgrad::let<\.\.\.> has no value\(\) that can be called
// No value.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct block : xg::let<block> {
#ifdef XGRAD_EXPECT_ERROR
#else
    static constexpr auto value() { return 2_c * x; }
#endif
};
constexpr auto z = xg::exp(block{});
