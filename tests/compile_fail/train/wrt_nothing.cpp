// SPDX-License-Identifier: MIT
// expect-error: xgrad::wrt\(x\.\.\.\): there is no x
// With respect to nothing.
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto all = xg::wrt();
#else
constexpr auto all = xg::wrt(w, x);
#endif
