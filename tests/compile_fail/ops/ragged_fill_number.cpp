// SPDX-License-Identifier: MIT
// expect-error: xgrad::ragged_fill_empty_rows\(values, offsets, number\): the number is an array
// A number for each element.
#include <xgrad/ops/sparse/ragged.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto v = xg::input<"v", float, 7>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ragged_fill_empty_rows(v, o, v);
#else
constexpr auto y = xg::ragged_fill_empty_rows(v, o, 1_c);
#endif
