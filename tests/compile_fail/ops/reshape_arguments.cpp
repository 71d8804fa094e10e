// SPDX-License-Identifier: MIT
// expect-error: xgrad::reshape\(x\): the new shape is not in angle brackets
// Extents as arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::reshape(x, batch, 2, 2);
#else
constexpr auto z = xg::reshape<batch, 2, 2>(x);
#endif
