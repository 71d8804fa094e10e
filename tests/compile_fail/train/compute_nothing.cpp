// SPDX-License-Identifier: MIT
// expect-error: xgrad::compute_gradients\(loss, v\.\.\.\): there are no variables to optimize
// No variables.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr void run() { static_cast<void>(xg::compute_gradients(xg::sum(w))); }
#else
constexpr void run() { static_cast<void>(xg::compute_gradients(xg::sum(w), w)); }
#endif
