// SPDX-License-Identifier: MIT
// expect-error: xgrad::non_max_suppression<capacity>\(boxes, scores, overlap, score\): boxes are not \[n, 4\]
// scores of other boxes.
#include <xgrad/ops/images/boxes.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto b = xg::input<"b", float, 5, 4>;
constexpr auto s = xg::input<"s", float, 5>;
constexpr auto t = xg::input<"t", float, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::non_max_suppression<3>(b, t, 0.5_c, 0_c);
#else
constexpr auto z = xg::non_max_suppression<3>(b, s, 0.5_c, 0_c);
#endif
