// SPDX-License-Identifier: MIT
// expect-error: xgrad::min\(x\): several expressions are given
// std::min is not called, though it fits.
#include <xgrad/ops/ops.hpp>

#include <algorithm>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
using namespace std;
constexpr auto z = min(x, x);
#else
constexpr auto z = xg::minimum(x, x);
#endif
