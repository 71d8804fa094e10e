// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule\): the loss has no gradient for any variable of these groups, only comparisons, stop_gradient, integers or operations without derivative\(\.\.\.\)
// An accuracy in place of a loss.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float>;

void f() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(-xg::mean(xg::cast<float>(xg::greater(x * w, y))), xg::adam{});
#else
    auto train = xg::minimize(xg::mean(xg::sigmoid_cross_entropy(x * w, y)), xg::adam{});
#endif
}
