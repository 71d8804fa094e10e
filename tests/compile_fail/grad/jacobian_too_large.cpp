// SPDX-License-Identifier: MIT
// expect-error: the loop of this Jacobian or Hessian reads more than 31 outer expressions
// A Jacobian of too many layers.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

template<int... I>
constexpr auto deep(std::integer_sequence<int, I...>) {
    constexpr auto x = xg::input<"x", float, 3>;
    return xg::jacobian(((xg::tanh(x * xg::variable<xg::numbered<"w", I>, float, 3>)) + ...), x);
}

#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = deep(std::make_integer_sequence<int, 40>{});
static_assert(xg::value_of<decltype(j)>.dims.rank == 2 || xg::value_of<decltype(j)>.wrong != xg::fault::none);
#else
constexpr auto j = deep(std::make_integer_sequence<int, 4>{});
static_assert(xg::value_of<decltype(j)>.dims.rank == 2);
#endif
