// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth, axis>\(ids, on, off\): depth is negative
// Fewer than no elements.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<-1>(ids, 1_c, 0_c);
#else
constexpr auto z = xg::one_hot<1>(ids, 1_c, 0_c);
#endif
