// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rules\.\.\.\): the rules are in braces
// a list of rules.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(loss, {xg::param_group(xg::adam{}, w), xg::ftrl{}});
#else
auto train = xg::minimize(loss, xg::param_group(xg::adam{}, w));
#endif
