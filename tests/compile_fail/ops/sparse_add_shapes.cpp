// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_add, sparse_maximum or sparse_minimum\(a, b\): a and b have different shapes
// the sum of two shapes.
#include <xgrad/ops/sparse/sparse_sets.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_add(s, xg::sparse_transpose(s));
#else
constexpr auto z = xg::sparse_add(s, s);
#endif
