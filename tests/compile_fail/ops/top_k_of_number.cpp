// SPDX-License-Identifier: MIT
// expect-error: xgrad::top_k<k>\(x\): x is one number and has no axis
// The largest of one number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = std::get<0>(xg::top_k<1>(xg::input<"rate", float>));
#else
constexpr auto z = std::get<0>(xg::top_k<1>(xg::input<"rates", float, 1>));
#endif
