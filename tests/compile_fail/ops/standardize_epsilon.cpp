// SPDX-License-Identifier: MIT
// expect-error: xgrad::standardize<axes\.\.\.>\(x, epsilon\), and norms of layers: epsilon is not a number
// An epsilon with axes.
#include <xgrad/ops/normalization/standardize.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::standardize(x, s);
#else
constexpr auto y = xg::standardize(x, 1e-3_c);
#endif
