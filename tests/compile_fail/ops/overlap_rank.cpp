// SPDX-License-Identifier: MIT
// expect-error: xgrad::overlap_and_add<step>\(frames\): frames have fewer than two axes
// One frame.
#include <xgrad/ops/complex/inverse_stft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 20>;
constexpr auto frames = xg::input<"frames", float, 2, 4, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::overlap_and_add<2>(xg::input<"v", float, 6>);
#else
constexpr auto y = xg::overlap_and_add<2>(frames);
#endif
