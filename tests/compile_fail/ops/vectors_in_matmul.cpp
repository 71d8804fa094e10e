// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// A product without any expression.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
inline std::vector<float> const rows(4);

#ifdef XGRAD_EXPECT_ERROR
auto const z = xg::matmul(rows, rows);
#else
auto const z = xg::matmul(x, xg::variable<"w", float, 4, 2>);
#endif
