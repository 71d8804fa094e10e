// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_fill_empty_rows\(s, number\): s is not a matrix, or the number is an array
// an array of numbers.
#include <xgrad/ops/sparse/sparse_sets.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto at = xg::input<"at", std::int32_t, 5, 2>;
constexpr auto v = xg::input<"v", float, 5>;
constexpr auto b = xg::input<"b", float, 6, 2>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_fill_empty_rows(s, v);
#else
constexpr auto z = xg::sparse_fill_empty_rows(s, 0_c);
#endif
