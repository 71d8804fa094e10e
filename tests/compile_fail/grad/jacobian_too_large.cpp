// SPDX-License-Identifier: MIT
// expect-error: the loop of this Jacobian or Hessian reads more than 255 outer expressions
// A Jacobian of too many layers.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;
template<int First, int Count>
struct sum_of : xg::let<sum_of<First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return xg::tanh(x * xg::variable<xg::numbered<"w", First>, float, 3>);
        else return sum_of<First, Count / 2>{} + sum_of<First + Count / 2, Count - Count / 2>{};
    }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::jacobian(sum_of<0, 300>{}, x);
static_assert(xg::value_of<decltype(j)>.dims.rank == 2 || xg::value_of<decltype(j)>.wrong != xg::fault::none);
#else
constexpr auto j = xg::jacobian(sum_of<0, 4>{}, x);
static_assert(xg::value_of<decltype(j)>.dims.rank == 2);
#endif
