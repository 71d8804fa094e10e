// SPDX-License-Identifier: MIT
// expect-error: xgrad: an x of vjp, jvp, hvp, gauss_newton_vp, jacobian or hessian must be an expression of float or double
// An x of integers.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;
constexpr auto id = xg::input<"id", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::jacobian(b * xg::cast<float>(id), id);
#else
constexpr auto d = xg::jacobian(b * xg::cast<float>(id), b);
#endif
