// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): the axes under "..." do not broadcast
// Batches of different sizes.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_axes", float, 2, 3, 4>;
constexpr auto b = xg::input<"b_of_axes", float, 3, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"...ij,...jk->...ik">(a, b);
#else
constexpr auto z = xg::einsum<"aij,bjk->abik">(a, b);
#endif
