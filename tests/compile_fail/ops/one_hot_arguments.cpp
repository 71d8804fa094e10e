// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot\(ids\): the depth is not in angle brackets
// The depth as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot(y, 10);
#else
constexpr auto z = xg::one_hot<10>(y);
#endif
