// SPDX-License-Identifier: MIT
// expect-error: xgrad: fit\.watched\(watcher, x = array\.\.\.\): the watcher cannot be called with a calibration_result
// A watcher of another number.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{});
    return fit.watched([](int, int) {});
#else
    auto fit = xg::calibrate(xg::sum(xg::square(w)), xg::lbfgs{});
    return fit.watched([](xg::calibration_result const&) {});
#endif
}
