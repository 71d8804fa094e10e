// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): the subscripts are not letters, commas
// A digit in the subscripts.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_character", float, 3, 4>;
constexpr auto b = xg::input<"b_of_character", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"i1,1j->ij">(a, b);
#else
constexpr auto z = xg::einsum<"ik,kj->ij">(a, b);
#endif
