// SPDX-License-Identifier: MIT
// expect-error: xgrad::check_finite\(owner\): owner is neither a trainer \(minimize, apply_gradients\) nor xgrad::variables
// a loss in place of what owns its variables.
#include <xgrad/train/check_finite.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::sum(w * w);

int main() {
    auto train = xg::minimize(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::check_finite(loss);
#else
    xg::check_finite(train);
#endif
}
