// SPDX-License-Identifier: MIT
// expect-error: xgrad::edit_distance\(x, x_lengths, y, y_lengths\): lengths are not
// Lengths between the rows and their lengths.
#include <xgrad/ops/sequences/edit_distance.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 4, 7>;
constexpr auto y = xg::input<"y", std::int32_t, 4, 5>;
constexpr auto n = xg::input<"n", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::edit_distance(x, y, y, n);
#else
constexpr auto d = xg::edit_distance(x, n, y, n);
#endif
