// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_jacobians\(y, x\.\.\.\): the call has a body between < and >
// A body, as of per_example_gradients.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));
struct body : xg::region {
    static constexpr auto value(auto row) { return xg::sum(row); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::per_example_jacobians<body>(w, x);
#else
constexpr auto j = xg::per_example_jacobians(y, x);
#endif
