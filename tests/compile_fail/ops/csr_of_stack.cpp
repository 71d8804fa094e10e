// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_to_csr\(s\): s is not a matrix
// rows of a vector.
#include <xgrad/ops/sparse/row_offsets.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = std::get<2>(xg::sparse_to_csr(xg::sparse_tensor<6>(xg::expand_dims<1>(o), v)));
#else
constexpr auto z = std::get<2>(xg::sparse_to_csr(s));
#endif
