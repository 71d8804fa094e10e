// SPDX-License-Identifier: MIT
// expect-error: xgrad::p_norm<axes...>\(x, p\): p is not above 0
// The number of elements that are not 0.
#include <xgrad/ops/norms.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::p_norm<1>(x, 0_c);
#else
constexpr auto z = xg::count_nonzero<1>(x);
#endif
