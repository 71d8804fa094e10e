// SPDX-License-Identifier: MIT
// expect-error: xgrad: sizes of named dimensions are missing, or belong to no variable: sizes_of<\.\.\.> names the variables' dimensions
// A variable with a named dimension, of which the owner does not know the size.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto table = xg::variable<"table", float, features, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, table)));

#ifdef XGRAD_EXPECT_ERROR
xg::variables vars{xg::sum(table)};
#else
xg::variables vars{xg::sum(table), features = 300};
#endif
