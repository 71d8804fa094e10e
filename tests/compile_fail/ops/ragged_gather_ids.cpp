// SPDX-License-Identifier: MIT
// expect-error: xgrad::ragged_gather<capacity>\(values, offsets, ids\): ids are not
// A capacity below 0.
#include <xgrad/ops/sparse/ragged.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto v = xg::input<"v", float, 7>;
constexpr auto o = xg::input<"o", std::int32_t, 5>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ragged_gather<-4>(v, o, i);
#else
constexpr auto y = xg::ragged_gather<4>(v, o, i);
#endif
