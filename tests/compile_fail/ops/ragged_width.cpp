// SPDX-License-Identifier: MIT
// expect-error: xgrad::ragged_to_...<width>\(values, offsets\): width is negative
// a negative width.
#include <xgrad/ops/sparse/row_offsets.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::ragged_to_dense<-3>(v, o, 0_c);
#else
constexpr auto z = xg::ragged_to_dense<3>(v, o, 0_c);
#endif
