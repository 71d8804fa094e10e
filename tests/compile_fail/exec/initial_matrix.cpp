// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): identity_initializer is given to a variable that is not a matrix
// A vector that begins as a matrix.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 4>;
constexpr auto b = xg::variable<"b", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{w, b}.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::identity_initializer{}, b)); }
#else
void start() { xg::variables{w, b}.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::identity_initializer{}, w)); }
#endif
