// SPDX-License-Identifier: MIT
// expect-error: xgrad::clip_by_global_norm\(gradients, clip_norm\): gradients are not a std::tuple of expressions, indexed_slices and none
// One gradient instead of a tuple of them.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto v = xg::variable<"v", double, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto clipped = xg::clip_by_global_norm(xg::gradient_of(loss, w), 1_c);
#else
constexpr auto clipped = xg::clip_by_global_norm(xg::compute_gradients(loss, w), 1_c);
#endif
