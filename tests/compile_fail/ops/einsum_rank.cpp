// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): an operand has not as many axes as its subscripts
// An axis without a letter.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_rank", float, 2, 3, 4>;
constexpr auto b = xg::input<"b_of_rank", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"ij,jk->ik">(a, b);
#else
constexpr auto z = xg::einsum<"bij,jk->bik">(a, b);
#endif
