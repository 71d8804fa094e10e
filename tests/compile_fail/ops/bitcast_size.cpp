// SPDX-License-Identifier: MIT
// expect-error: xgrad::bitcast<T>\(x\): the elements of x have another size than T, or one of them is bool
// Elements of another size.
#include <xgrad/ops/special/bits.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bitcast<std::int64_t>(x);
#else
constexpr auto z = xg::bitcast<std::int32_t>(x);
#endif
