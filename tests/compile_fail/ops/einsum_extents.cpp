// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): a letter stands for axes with different extents
// The inner axes differ.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_extents", float, 3, 4>;
constexpr auto b = xg::input<"b_of_extents", float, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ij,jk->ik">(a, b);
#else
constexpr auto z = xg::einsum<"ij,kj->ik">(a, b);
#endif
