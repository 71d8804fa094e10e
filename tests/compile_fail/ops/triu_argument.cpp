// SPDX-License-Identifier: MIT
// expect-error: xgrad::tril\(x\), triu\(x\): the number of a diagonal is an argument
// The form of NumPy.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::triu(x, 1);
#else
constexpr auto z = xg::triu<1>(x);
#endif
