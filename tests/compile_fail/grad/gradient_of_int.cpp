// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, x\.\.\.\): y is neither float nor double
// The gradient of an integer.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::square(xg::gradient_of(xg::cast<std::int32_t>(xg::sum(w)), w));
#else
constexpr auto g = xg::square(xg::gradient_of(xg::sum(w), w));
#endif
