// SPDX-License-Identifier: MIT
// expect-error: xgrad::triu<diagonal>\(x\): x has fewer than two axes
// A vector.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto v = xg::input<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::triu(v);
#else
constexpr auto z = xg::triu(xg::expand_dims<0>(v));
#endif
