// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, param_group<"pattern">\(rule\), \.\.\.\): the pattern matches no trainable variable of the loss, or only
// A pattern that no name matches.
#include <xgrad/xgrad.hpp>
using namespace xgrad::literals;

inline constexpr auto w = xgrad::variable<"deep/w", float, 2>;
#ifdef XGRAD_EXPECT_ERROR
auto train = xgrad::minimize(xgrad::sum(w * w), xgrad::param_group<"wide/*">(xgrad::chain(xgrad::freeze{}, xgrad::adam{})), xgrad::adam{});
#else
auto train = xgrad::minimize(xgrad::sum(w * w), xgrad::param_group<"deep/*">(xgrad::chain(xgrad::freeze{}, xgrad::adam{})), xgrad::adam{});
#endif
