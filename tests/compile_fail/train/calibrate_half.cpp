// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}\): a variable has 16 bits, too few for a line search
// A variable of 16 bits.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto h = xg::variable<"h", xg::bfloat16, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::sum(xg::square(xg::cast<float>(h))), xg::lbfgs{});
    return fit();
#else
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{});
    return fit();
#endif
}
