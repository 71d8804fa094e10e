// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches prevent_gradient<why>\(x\); operation_without_derivative<...> shows why
// A loss through a value that must not be trained.
#include <xgrad/ops/prevent_gradient.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto y = xg::prevent_gradient<"labels have no order">(x);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradient_of(xg::sum(xg::square(y)), x);
#else
constexpr auto g = xg::gradient_of(xg::sum(xg::stop_gradient(y) * x), x);
#endif
