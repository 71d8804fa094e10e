// SPDX-License-Identifier: MIT
// expect-error: xgrad::calibrate\(loss, lbfgs\{\}\): the loss is neither float nor double
// A loss of integers.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto n = xg::variable<"n", std::int32_t, 3>;

xg::calibration_result run() {
#ifdef XGRAD_EXPECT_ERROR
    auto fit = xg::calibrate(xg::sum(n), xg::lbfgs{});
    return fit();
#else
    auto fit = xg::calibrate(xg::sum(w) + xg::cast<float>(xg::sum(n)), xg::lbfgs{});
    return fit();
#endif
}
