// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): a letter stands for axes with different extents
// The diagonal of a matrix that is not square.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_diagonal", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ii">(a);
#else
constexpr auto z = xg::einsum<"ij">(a);
#endif
