// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}\): the loss has no gradient for any variable
// A loss of what is not trainable.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto fixed = xg::non_trainable<"fixed", float, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::sum(xg::square(fixed)), xg::lbfgs{});
    return fit();
#else
    auto fit = xg::calibrate(xg::sum(xg::square(w - fixed)), xg::lbfgs{});
    return fit();
#endif
}
