// SPDX-License-Identifier: MIT
// expect-error: xgrad::param_groups\(rules\.\.\.\): there is no rule, or assign\(v, expression\) is among the rules
// State is set by an assignment among the pairs.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::non_trainable<"w", float, 3>;
#ifdef XGRAD_EXPECT_ERROR
auto const rules = xg::param_groups(xg::assign(w, w + w), xg::adam{});
#else
auto const rules = xg::param_groups(xg::param_group(xg::adam{}, w), xg::adam{});
#endif
