// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: sizes of named dimensions are missing, or belong to no variable: sizes_of<\.\.\.> names the variables' dimensions
// expect-error[clang]: \{"features"\}.*xgrad: sizes of named dimensions are missing, or belong to no variable
// A variable with a named dimension, of which the trainer does not know the size.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto table = xg::variable<"table", float, features, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, table)));

#ifdef XGRAD_EXPECT_ERROR
auto make() { return xg::minimize(loss, xg::adam{}); }
#else
auto make() { return xg::minimize(loss, xg::adam{}, features = 300); }
#endif
