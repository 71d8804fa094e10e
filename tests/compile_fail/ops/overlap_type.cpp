// SPDX-License-Identifier: MIT
// expect-error: xgrad::overlap_and_add<step>\(frames\): frames are not floating
// Frames of integers.
#include <xgrad/ops/complex/inverse_stft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 20>;
constexpr auto frames = xg::input<"frames", float, 2, 4, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::overlap_and_add<2>(xg::input<"v", std::int32_t, 4, 6>);
#else
constexpr auto y = xg::overlap_and_add<2>(frames);
#endif
