// SPDX-License-Identifier: MIT
// expect-error: xgrad: the y of hvp and hessian, and the loss of gauss_newton_vp, must have one element and no axis
// The Hessian of several numbers.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::hvp(xg::square(w), w, t);
#else
constexpr auto d = xg::hvp(xg::sum(xg::square(w)), w, t);
#endif
