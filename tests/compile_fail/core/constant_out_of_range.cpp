// SPDX-License-Identifier: MIT
// expect-error: xgrad::constant<T, value>: value is above 2\^53, or T does not hold it exactly
// Three milliards in 32 bits.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = y + xg::constant<std::int32_t, 3000000000>;
#else
constexpr auto z = y + xg::constant<std::int32_t, 2000000000>;
#endif
