// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): both last extents are named dimensions
// Two named lengths.
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

inline constexpr xg::dim length{"length"};
constexpr auto a = xg::input<"a", float, length>;
constexpr auto v = xg::input<"v", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::convolve(a, a);
#else
constexpr auto z = xg::convolve(a, v);
#endif
