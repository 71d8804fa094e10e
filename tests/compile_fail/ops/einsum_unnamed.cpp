// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): operands have axes under "..." that the result does not have
// A result without the axes under "...".
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_unnamed", float, 2, 3, 4>;
constexpr auto b = xg::input<"b_of_unnamed", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"...ij,jk->ik">(a, b);
#else
constexpr auto z = xg::einsum<"...ij,jk->...ik">(a, b);
#endif
