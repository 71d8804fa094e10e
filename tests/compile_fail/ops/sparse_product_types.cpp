// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_dense_matmul\(s, b\): the values of s and b are not of one floating type
// float times double.
#include <xgrad/ops/sparse/sparse_products.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_dense_matmul(s, xg::cast<double>(b));
#else
constexpr auto z = xg::sparse_dense_matmul(s, b);
#endif
