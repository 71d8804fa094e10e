// SPDX-License-Identifier: MIT
// expect-error: xgrad::in_training\(y, z\): y and z have different shapes
// Another shape for inference.
#include <xgrad/ops/normalization/in_training.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::in_training(x, s);
#else
constexpr auto y = xg::in_training(x, -x);
#endif
