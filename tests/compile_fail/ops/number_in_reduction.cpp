// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// The sum of a number.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
inline std::vector<float> const rows(4);

#ifdef XGRAD_EXPECT_ERROR
auto const z = xg::sum(2.0f);
#else
auto const z = xg::sum(2_c * x);
#endif
