// SPDX-License-Identifier: MIT
// expect-error: xgrad: grow\(features = 600, how\): how is missing, or is not an initializer of the new elements
// New rows of unknown values.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto table = xg::variable<"table", float, features, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, table)));

#ifdef XGRAD_EXPECT_ERROR
void grow(decltype(xg::minimize(loss, xg::adam{}, features = 300))& train) { train.grow(features = 600); }
#else
void grow(decltype(xg::minimize(loss, xg::adam{}, features = 300))& train) { train.grow(features = 600, xg::random_uniform{.seed = 1}); }
#endif
