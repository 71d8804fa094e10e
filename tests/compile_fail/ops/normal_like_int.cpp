// SPDX-License-Identifier: MIT
// expect-error: xgrad::normal_like<"name">\(x\): x is neither float nor double
// Normal integers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::normal_like<"noise">(y);
#else
constexpr auto z = xg::normal_like<"noise">(xg::cast<float>(y));
#endif
