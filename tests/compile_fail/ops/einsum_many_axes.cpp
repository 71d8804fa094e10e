// SPDX-License-Identifier: MIT
// expect-error: xgrad::einsum<subscripts>\(x...\): the result has more than six axes
// A result of seven axes.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_many_axes", float, 2, 3, 4, 5>;
constexpr auto b = xg::input<"b_of_many_axes", float, 2, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"abcd,efg->abcdefg">(a, b);
#else
constexpr auto z = xg::einsum<"abcd,efg->abcefg">(a, b);
#endif
