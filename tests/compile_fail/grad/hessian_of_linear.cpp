// SPDX-License-Identifier: MIT
// expect-error: xgrad::hessian\(y, x...\): y is linear in an x
// A linear y, whose gradient does not depend on x.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

using namespace xgrad::literals;

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::hessian(xg::sum(2_c * b), b);
#else
constexpr auto h = xg::jacobian(xg::gradient_of(xg::sum(2_c * b), b), b);
#endif
