// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_reduce_sum<axes...>\(s\), sparse_reduce_max: an axis does not exist
// a third axis of a matrix.
#include <xgrad/ops/sparse/sparse_elements.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_reduce_sum<2>(s);
#else
constexpr auto z = xg::sparse_reduce_sum<1>(s);
#endif
