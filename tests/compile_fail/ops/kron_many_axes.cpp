// SPDX-License-Identifier: MIT
// expect-error: xgrad::kron\(a, b\): a or b has more than three axes
// Four axes.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_kron_many_axes", float, 2, 3, 4, 5>;
constexpr auto b = xg::input<"b_of_kron_many_axes", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::kron(a, b);
#else
constexpr auto z = xg::kron(xg::reshape<2, 3, 20>(a), b);
#endif
