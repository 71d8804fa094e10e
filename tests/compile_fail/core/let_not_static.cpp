// SPDX-License-Identifier: MIT
// expect-error: xgrad: a struct derived from xgrad::let<\.\.\.> has no value\(\) that can be called
// value is a member of each object.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct block : xg::let<block> {
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto value() const { return 2_c * x; }
#else
    static constexpr auto value() { return 2_c * x; }
#endif
};
constexpr auto z = xg::exp(block{});
