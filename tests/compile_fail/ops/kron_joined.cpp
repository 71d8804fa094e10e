// SPDX-License-Identifier: MIT
// expect-error: xgrad::kron\(a, b\): an extent of the result is a product of more than three
// Four named dimensions in one axis.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
inline constexpr xg::dim columns{"columns"};
constexpr auto a = xg::input<"a_of_kron_joined", float, rows * columns>;
constexpr auto b = xg::input<"b_of_kron_joined", float, rows * columns>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::kron(a, b);
#else
constexpr auto z = xg::tensordot<0>(a, b);
#endif
