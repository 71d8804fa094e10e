// SPDX-License-Identifier: MIT
// expect-error: xgrad: an x of per_example_jacobians or per_example_hessians has no axis
// An x that all examples share.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));
constexpr auto s = xg::variable<"s", float>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::per_example_jacobians(s * y, s);
#else
constexpr auto j = xg::jacobian(s * y, s);
#endif
