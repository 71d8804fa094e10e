// SPDX-License-Identifier: MIT
// expect-error: xgrad::pinv\(a\), matrix_rank\(a\), lstsq\(a, b\): one of the last two extents of a is a named dimension
// Whether there are more rows or more columns is not known.
#include <xgrad/ops/linalg/matrix_functions.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto a = xg::input<"a", float, batch, 3>;
constexpr auto b = xg::input<"b", float, 5, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pinv(a);
#else
constexpr auto z = xg::pinv(b);
#endif
