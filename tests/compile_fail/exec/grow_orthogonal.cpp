// SPDX-License-Identifier: MIT
// expect-error: xgrad: grow\(features = 600, how\): an array, or orthogonal, has no values for new elements only
// New rows of a matrix that is orthogonal as a whole.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim features{"features"};
constexpr auto table = xg::variable<"table", float, features, 3>;

#ifdef XGRAD_EXPECT_ERROR
void grow() { xg::variables{table, features = 300}.grow(features = 600, xg::orthogonal{.seed = 1}); }
#else
void grow() { xg::variables{table, features = 300}.grow(features = 600, xg::he_normal{.seed = 1}); }
#endif
