// SPDX-License-Identifier: MIT
// expect-error: xgrad::cast\(x\): the element type is not in angle brackets, or is not one of inputs and variables
// No element type.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cast(y);
#else
constexpr auto z = xg::cast<float>(y);
#endif
