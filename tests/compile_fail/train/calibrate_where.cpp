// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}, where\.\.\.\): an argument after the options is neither a size nor an owner
// A rule after the options.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{}, xg::adam{});
    return fit();
#else
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{});
    return fit();
#endif
}
