// SPDX-License-Identifier: MIT
// expect-error: xgrad::global_norm\(gradients\): gradients are not a std::tuple of expressions, indexed_slices and none
// One gradient instead of a tuple of them.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto v = xg::variable<"v", double, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto norm = xg::global_norm(xg::gradient_of(loss, w));
#else
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss, w));
#endif
