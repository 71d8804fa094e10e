// SPDX-License-Identifier: MIT
// expect-error: xgrad: covariance\.first\(v\): v is not a variable
// An expression of a variable in place of the variable.
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto fit = xg::calibrate(loss, xg::lbfgs{});
#ifdef XGRAD_EXPECT_ERROR
    fit.covariance().first(xg::square(w));
#else
    fit.covariance().first(w);
#endif
}
