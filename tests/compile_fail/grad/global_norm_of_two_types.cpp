// SPDX-License-Identifier: MIT
// expect-error: xgrad::global_norm\(gradients\): the gradients are not all float or all double
// Gradients of two element types.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto v = xg::variable<"v", double, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss + xg::cast<float>(xg::sum(v)), w, v));
#else
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss, w));
#endif
