// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): x has six axes already, and its values in all layers are stacked
// A tensor of six axes through layers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto six = xg::input<"six", float, 2, 2, 2, 2, 2, 2>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::layers<3, twice>(six);
#else
constexpr auto z = xg::layers<3, twice>(xg::reshape<8, 8>(six));
#endif
