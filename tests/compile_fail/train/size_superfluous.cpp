// SPDX-License-Identifier: MIT
// expect-error: xgrad: sizes of named dimensions are missing, or belong to no variable: sizes_of<\.\.\.> names the variables' dimensions
// The size of a dimension that no variable has.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto table = xg::variable<"table", float, features, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, table)));

#ifdef XGRAD_EXPECT_ERROR
auto make() { return xg::minimize(loss, xg::adam{}, features = 300, batch = 64); }
#else
auto make() { return xg::minimize(loss, xg::adam{}, features = 300); }
#endif
