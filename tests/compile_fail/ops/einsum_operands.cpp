// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): the number of operands is not that of the subscripts
// An operand too few.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_operands", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ij,jk->ik">(a);
#else
constexpr auto z = xg::einsum<"ij->ji">(a);
#endif
