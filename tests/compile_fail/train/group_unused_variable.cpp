// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::minimize\(loss, param_group\(rule, v\.\.\.\), \.\.\.\): the loss has no gradient for a variable of a group
// expect-error[clang]: \{"other"\}.*xgrad::minimize\(loss, param_group\(rule, v\.\.\.\), \.\.\.\): the loss has no gradient for a variable of a group
// A group that names a variable of another loss in addition to its own.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto other = xg::variable<"other", float, 3>;
constexpr auto loss = xg::sum(xg::square(w + b));

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(loss, xg::param_group(xg::adagrad{}, w, other), xg::param_group(xg::adam{}));
#else
auto train = xg::minimize(loss, xg::param_group(xg::adagrad{}, w), xg::param_group(xg::adam{}));
#endif
