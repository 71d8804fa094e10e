// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::apply_gradients\(param_groups\(\.\.\.\), output, pairs\.\.\.\): no pair has a variable that a group names
// expect-error[clang]: \{"other"\}.*xgrad::apply_gradients\(param_groups\(\.\.\.\), output, pairs\.\.\.\): no pair has a variable that a group names
// A group of a variable that has no pair.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto other = xg::variable<"other", float, 3>;
constexpr auto loss = xg::sum(w * b);
void make() {
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto rules = xg::param_groups(xg::param_group(xg::adam{}, other), xg::adam{});
#else
    constexpr auto rules = xg::param_groups(xg::param_group(xg::adam{}, w), xg::adam{});
#endif
    auto train = xg::apply_gradients(rules, loss, xg::with_variable(xg::gradient_of(loss, w), w), xg::with_variable(xg::gradient_of(loss, b), b));
}
