// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_slice<axis, begin, end>\(s\): the axis does not exist, or the bounds are outside
// seven columns of six.
#include <xgrad/ops/sparse/sparse_sets.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_slice<1, 0, 7>(s);
#else
constexpr auto z = xg::sparse_slice<1, 0, 6>(s);
#endif
