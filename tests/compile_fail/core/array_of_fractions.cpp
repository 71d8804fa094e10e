// SPDX-License-Identifier: MIT
// expect-error: xgrad::array\(elements, extents\.\.\.\): an extent is not an integer
// Half a row.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
float run(float const* a) { return xg::function{xg::sum(x)}(x = xg::array(a, 8.5, 4)); }
#else
float run(float const* a) { return xg::function{xg::sum(x)}(x = xg::array(a, 8, 4)); }
#endif
