// SPDX-License-Identifier: MIT
// expect-error: xgrad: fit\.bounds\(v, lower, upper\): the first argument is not a variable
// Bounds before their variable.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto rate = xg::variable<"rate", double>;
constexpr auto loss = xg::square(rate);

void f() {
    auto fit = xg::calibrate(loss, xg::lbfgs{});
#ifdef XGRAD_EXPECT_ERROR
    fit.bounds(0, 10, rate);
#else
    fit.bounds(rate, 0, 10);
#endif
}
