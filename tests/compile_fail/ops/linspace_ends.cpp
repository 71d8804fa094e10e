// SPDX-License-Identifier: MIT
// expect-error: xgrad::linspace<n>\(start, end\): an end is not one floating number
// An integer as end.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto i = xg::input<"i", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::linspace<3>(0_c, i);
#else
constexpr auto z = xg::linspace<3>(0_c, xg::cast<float>(i));
#endif
