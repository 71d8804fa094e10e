// SPDX-License-Identifier: MIT
// expect-error: xgrad::max\(x\): two expressions are given
// std::max is not called, though it fits.
#include <xgrad/ops/ops.hpp>

#include <algorithm>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
using namespace std;
constexpr auto z = max(x, x);
#else
constexpr auto z = xg::maximum(x, x);
#endif
