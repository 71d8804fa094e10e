// SPDX-License-Identifier: MIT
// expect-error: xgrad::csr_matrix<columns>\(offsets, columns, values\): the offsets are not integers
// offsets in float.
#include <xgrad/ops/sparse/row_offsets.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::csr_matrix<6>(v, o, v);
#else
constexpr auto z = xg::csr_matrix<6>(o, o, v);
#endif
