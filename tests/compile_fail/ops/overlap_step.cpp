// SPDX-License-Identifier: MIT
// expect-error: xgrad::overlap_and_add<step>\(frames\): step is below 1
// No step.
#include <xgrad/ops/complex/inverse_stft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 20>;
constexpr auto frames = xg::input<"frames", float, 2, 4, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::overlap_and_add<0>(frames);
#else
constexpr auto y = xg::overlap_and_add<1>(frames);
#endif
