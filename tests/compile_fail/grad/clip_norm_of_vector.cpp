// SPDX-License-Identifier: MIT
// expect-error: xgrad::clip_by_global_norm\(gradients, clip_norm\): clip_norm is not one number above 0
// A limit for each element.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto v = xg::variable<"v", double, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto clipped = xg::clip_by_global_norm(xg::compute_gradients(loss, w), xg::input<"limit", float, 3>);
#else
constexpr auto clipped = xg::clip_by_global_norm(xg::compute_gradients(loss, w), xg::input<"limit", float>);
#endif
