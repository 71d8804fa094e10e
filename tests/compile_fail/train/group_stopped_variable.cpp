// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::minimize\(loss, param_group\(rule, v\.\.\.\), \.\.\.\): the loss has no gradient for a variable of a group
// expect-error[clang]: \{"b"\}.*xgrad::minimize\(loss, param_group\(rule, v\.\.\.\), \.\.\.\): the loss has no gradient for a variable of a group
// A group that names a variable whose gradient is stopped.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto loss = xg::sum(xg::square(w + xg::stop_gradient(b)));

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(loss, xg::param_group(xg::adam{}, w), xg::param_group(xg::adagrad{}, b));
#else
auto train = xg::minimize(loss, xg::param_group(xg::adam{}, w));
#endif
