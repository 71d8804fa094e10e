// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}\): loss is not an expression
// A number as the loss.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(1.0f, xg::lbfgs{});
    return fit();
#else
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{});
    return fit();
#endif
}
