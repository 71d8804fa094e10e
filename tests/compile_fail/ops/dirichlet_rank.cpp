// SPDX-License-Identifier: MIT
// expect-error: xgrad::dirichlet_like<"name">\(alpha\): alpha has no axis
// A number.
#include <xgrad/ops/gamma_draws.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dirichlet_like<"d">(x);
#else
constexpr auto z = xg::dirichlet_like<"d">(xg::expand_dims<0>(x));
#endif
