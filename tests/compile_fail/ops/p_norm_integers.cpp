// SPDX-License-Identifier: MIT
// expect-error: xgrad::p_norm<axes...>\(x, p\): x is neither float nor double
// The norm of integers.
#include <xgrad/ops/norms.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", std::int32_t, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::p_norm<1>(x, 3_c);
#else
constexpr auto z = xg::p_norm<1>(xg::cast<float>(x), 3_c);
#endif
