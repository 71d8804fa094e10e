// SPDX-License-Identifier: MIT
// expect-error: xgrad::top_k<k>\(x\): the last axis of x is a named dimension
// How many there are is not known before the call.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(std::get<0>(xg::top_k<2>(xg::transpose(x))));
#else
constexpr auto z = xg::relu(std::get<0>(xg::top_k<2>(x)));
#endif
