// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, x\.\.\.\): there is no x
// With respect to nothing.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::sum(w));
#else
constexpr auto g = xg::gradients(xg::sum(w), w);
#endif
