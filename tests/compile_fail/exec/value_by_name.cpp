// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(v\): v is a name or another object, not a variable
// A name, and an element of the view: one error.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run() {
    auto train = xg::minimize(loss, xg::adam{});
    train.value("w")(0, 1) = 1;
}
#else
void run() {
    auto train = xg::minimize(loss, xg::adam{});
    train.value(w)(0, 1) = 1;
}
#endif
