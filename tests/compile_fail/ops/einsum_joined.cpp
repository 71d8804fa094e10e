// SPDX-License-Identifier: MIT
// expect-error: xgrad: einsum or tensordot joins axes with more than three named dimensions
// Four named dimensions in one axis of a matrix.
#include <xgrad/ops/einsum.hpp>

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
inline constexpr xg::dim columns{"columns"};
inline constexpr xg::dim planes{"planes"};
inline constexpr xg::dim times{"times"};
constexpr auto a = xg::input<"a_of_einsum_joined", float, rows, columns, planes, times, 4>;
constexpr auto b = xg::input<"b_of_einsum_joined", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::einsum<"abcdi,ij->abcdj">(a, b);
#else
constexpr auto z = xg::einsum<"abcdi,ij->abcj">(a, b);
#endif
