// SPDX-License-Identifier: MIT
// expect-error: xgrad: a loop iterates over an expression, which has no elements
// a loop over an expression.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run() {
    for (auto row : x) static_cast<void>(row);
}
#else
void run() {}
#endif
