// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth, axis>\(ids, on, off\): ids are neither
// float as ids.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<3>(f, 1_c, 0_c);
#else
constexpr auto z = xg::one_hot<3>(xg::cast<std::int32_t>(f), 1_c, 0_c);
#endif
