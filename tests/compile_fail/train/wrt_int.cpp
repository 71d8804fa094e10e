// SPDX-License-Identifier: MIT
// expect-error: xgrad::wrt\(x\.\.\.\): an x is neither float nor double: it has no gradient, or too few bits for differences
// With respect to integers.
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto all = xg::wrt(w, y);
#else
constexpr auto all = xg::wrt(w, x);
#endif
