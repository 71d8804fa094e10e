// SPDX-License-Identifier: MIT
// expect-error: xgrad: psnr\(a, b, range\) or ssim\(a, b, range\) gets images of different
// Different sizes.
#include <xgrad/ops/images/differences.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 8, 8, 3>;
constexpr auto b = xg::input<"b", float, 2, 8, 9, 3>;
using namespace xg::literals;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::psnr(a, b, 1_c);
#else
constexpr auto w = xg::psnr(a, xg::slice<2, 0, 8>(b), 1_c);
#endif
