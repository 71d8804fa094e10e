// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of einsum, tensordot, dot or another product are not numbers of one element type
// Operands of float and double.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_einsum_types", float, 3, 4>;
constexpr auto b = xg::input<"b_of_einsum_types", double, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ij,jk->ik">(a, b);
#else
constexpr auto z = xg::einsum<"ij,jk->ik">(xg::cast<double>(a), b);
#endif
