// SPDX-License-Identifier: MIT
// expect-error: xgrad::matvec\(a, x\): the last extents of a and x differ
// A matrix that is not transposed.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_matvec_extents", float, 4, 3>;
constexpr auto b = xg::input<"b_of_matvec_extents", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matvec(a, b);
#else
constexpr auto z = xg::matvec(xg::transpose(a), b);
#endif
