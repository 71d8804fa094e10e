// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::minimize\(loss, rules...\): two groups name one variable
// expect-error[clang]: \{"w"\}.*xgrad::minimize\(loss, rules...\): two groups name one variable
// Two constraints on the same value: the second is made of what the first leaves.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto once = xg::updated(w);
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto second = xg::assign(w, xg::minimum(once, 1_c));
#else
constexpr auto second = xg::assign(w, xg::minimum(xg::updated(once), 1_c));
#endif

auto make() { return xg::minimize(loss, xg::adam{}, xg::assign(w, xg::maximum(once, 0_c)), second); }
