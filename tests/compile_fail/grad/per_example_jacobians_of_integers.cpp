// SPDX-License-Identifier: MIT
// expect-error: xgrad: an x of per_example_jacobians or per_example_hessians is not an expression of float or double
// Examples of integers.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));
constexpr auto id = xg::input<"id", std::int32_t, batch, 3>;
constexpr auto number = xg::cast<float>(id);
#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::per_example_jacobians(number * y, id);
#else
constexpr auto j = xg::per_example_jacobians(number * y, number);
#endif
