// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_tensor<d...>\(indices, values\): the values are bool, of 16 bits or a literal
// values that are bool.
#include <xgrad/ops/sparse/sparse_tensor.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_tensor<4, 6>(at, v > 0_c);
#else
constexpr auto z = xg::sparse_tensor<4, 6>(at, v);
#endif
