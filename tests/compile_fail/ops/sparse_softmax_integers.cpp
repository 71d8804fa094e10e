// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_softmax\(s\): the values of s are integers
// softmax of integers.
#include <xgrad/ops/sparse/sparse_elements.hpp>

namespace xg = xgrad;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_softmax(xg::sparse_tensor<4, 6>(at, xg::cast<std::int32_t>(v)));
#else
constexpr auto z = xg::sparse_softmax(s);
#endif
