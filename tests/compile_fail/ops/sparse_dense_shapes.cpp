// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_dense_cwise_add, _mul or _div\(s, x\): x does not repeat to the shape of s
// an array of another shape.
#include <xgrad/ops/sparse/sparse_elements.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_dense_cwise_add(s, b);
#else
constexpr auto z = xg::sparse_dense_cwise_add(s, xg::sum<1>(b));
#endif
