// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant next to integers does not fit their type
// Half an integer.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = y * 0.5_c;
#else
constexpr auto z = xg::cast<float>(y) * 0.5_c;
#endif
