// SPDX-License-Identifier: MIT
// expect-error: xgrad::roots\(p\): p is neither float nor double
// A number of coefficients that the compiler does not know.
#include <xgrad/ops/linalg/eig.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::roots(xg::input<"p", float, n>);
#else
constexpr auto y = xg::roots(xg::input<"p", float, 3>);
#endif
