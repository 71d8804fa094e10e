// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): a letter after "->" is in no operand, or is there twice
// A letter of the result that no operand has.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_result", float, 3, 4>;
constexpr auto b = xg::input<"b_of_result", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ij,jk->il">(a, b);
#else
constexpr auto z = xg::einsum<"ij,jk->ik">(a, b);
#endif
