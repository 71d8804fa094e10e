// SPDX-License-Identifier: MIT
// expect-error: xgrad: y or loss and an x of per_example_jacobians or per_example_hessians have different numbers of examples
// Another number of examples.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));
constexpr auto some = xg::input<"some", float, 8>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::per_example_hessians(xg::square(some), x);
#else
constexpr auto h = xg::per_example_hessians(xg::square(some), some);
#endif
