// SPDX-License-Identifier: MIT
// expect-error: xgrad::top_k<k>\(x\): k is outside of 1 \.\.
// Five of four.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(std::get<0>(xg::top_k<5>(x)));
#else
constexpr auto z = xg::relu(std::get<0>(xg::top_k<4>(x)));
#endif
