// SPDX-License-Identifier: MIT
// expect-error: xgrad::rotary_embedding\(x, positions\): positions are not numbers
// Positions of another length.
#include <xgrad/ops/attention/rotary.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;
constexpr auto at = xg::input<"at", int, batch, 4>;
constexpr auto fit = xg::input<"fit", int, batch, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::rotary_embedding(q, at);
#else
constexpr auto y = xg::rotary_embedding(q, fit);
#endif
