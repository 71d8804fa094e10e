// SPDX-License-Identifier: MIT
// expect-error: xgrad::dropout<"name">\(x, rate\): x is neither float nor double
// dropout of integers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dropout<"drop">(y, 0.5_c);
#else
constexpr auto z = xg::dropout<"drop">(xg::cast<float>(y), 0.5_c);
#endif
