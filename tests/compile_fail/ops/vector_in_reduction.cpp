// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// The mean of an array.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
inline std::vector<float> const rows(4);

#ifdef XGRAD_EXPECT_ERROR
auto const z = xg::mean<0>(rows);
#else
auto const z = xg::mean<0>(x);
#endif
