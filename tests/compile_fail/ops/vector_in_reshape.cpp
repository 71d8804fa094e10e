// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// An array under another shape.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
inline std::vector<float> const rows(4);

#ifdef XGRAD_EXPECT_ERROR
auto const z = xg::reshape<2, 2>(rows);
#else
auto const z = xg::reshape<batch, 2, 2>(x);
#endif
