// SPDX-License-Identifier: MIT
// expect-error: xgrad: a shape is an argument; write it in angle brackets
// The form of NumPy.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::zeros(3, 4);
#else
constexpr auto z = xg::zeros<3, 4>();
#endif
