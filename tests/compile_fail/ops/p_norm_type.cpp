// SPDX-License-Identifier: MIT
// expect-error: xgrad::p_norm<axes...>\(x, p\): p has another element type than x
// An exponent of double.
#include <xgrad/ops/norms.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::p_norm<1>(x, xg::sum(xg::cast<double>(x)));
#else
constexpr auto z = xg::p_norm<1>(x, xg::sum(x));
#endif
