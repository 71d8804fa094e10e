// SPDX-License-Identifier: MIT
// expect-error: xgrad: a struct derived from xgrad::let<\.\.\.> has a data member, which nothing reads
// A rate that would be passed over.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct block : xg::let<block> {
#ifdef XGRAD_EXPECT_ERROR
    float rate = 0.5f;
#else
    static constexpr float rate = 0.5f;
#endif
    static constexpr auto value() { return xg::tanh(x); }
};
constexpr auto z = xg::exp(block{});
