// SPDX-License-Identifier: MIT
// expect-error: xgrad::ragged_gather<capacity>\(values, offsets, ids\), ragged_fill_empty_rows: values have no axis
// One number.
#include <xgrad/ops/sparse/ragged.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto v = xg::input<"v", float, 7>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ragged_fill_empty_rows(xg::input<"s", float>, o, 0_c);
#else
constexpr auto y = xg::ragged_fill_empty_rows(v, o, 0_c);
#endif
