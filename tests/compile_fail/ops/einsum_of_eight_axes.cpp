// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): a product of two of the operands has more than six axes
// Each pair of operands has eight axes that the third operand or the result has too.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_eight_axes", float, 2, 3, 2, 3, 2, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"abcdef,abcdgh,abcdij->efghij">(a, a, a);
#else
constexpr auto b = xg::reshape<36, 2, 2>(a);
constexpr auto z = xg::einsum<"aef,agh,aij->efghij">(b, b, b);
#endif
