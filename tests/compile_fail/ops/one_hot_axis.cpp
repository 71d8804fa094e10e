// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth, axis>\(ids, on, off\): axis is outside of the result
// An axis after the result.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<3, 2>(ids, 1_c, 0_c);
#else
constexpr auto z = xg::one_hot<3, 1>(ids, 1_c, 0_c);
#endif
