// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}\): the arguments are not a loss and xgrad::lbfgs
// Options before the loss.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(xg::square(w));

void f() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::lbfgs{}, loss);
#else
    auto fit = xg::calibrate(loss, xg::lbfgs{});
#endif
}
