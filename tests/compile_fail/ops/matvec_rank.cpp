// SPDX-License-Identifier: MIT
// expect-error: xgrad::matvec\(a, x\): a has fewer than two axes
// A vector for the matrix.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_matvec_rank", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matvec(a, a);
#else
constexpr auto z = xg::dot(a, a);
#endif
