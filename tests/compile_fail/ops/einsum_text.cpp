// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): the subscripts are part of the function
// The subscripts as an argument.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_text", float, 3, 4>;
constexpr auto b = xg::input<"b_of_text", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum("ij,jk->ik", a, b);
#else
constexpr auto z = xg::einsum<"ij,jk->ik">(a, b);
#endif
