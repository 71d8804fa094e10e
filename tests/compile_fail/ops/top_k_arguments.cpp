// SPDX-License-Identifier: MIT
// expect-error: xgrad::top_k\(x\): the number of elements is not in angle brackets
// the number as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::top_k(x, 3);
#else
constexpr auto z = xg::top_k<3>(x);
#endif
