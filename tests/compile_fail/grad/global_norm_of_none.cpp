// SPDX-License-Identifier: MIT
// expect-error: xgrad::global_norm\(gradients\): all
// No gradient at all.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto v = xg::variable<"v", double, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss, v));
#else
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss, w));
#endif
