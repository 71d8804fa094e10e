// SPDX-License-Identifier: MIT
// expect-error: xgrad::transpose<p\.\.\.>\(x\): the number of axes is not the rank of x
// transpose of a vector.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::transpose(b);
#else
constexpr auto z = xg::transpose(w);
#endif
