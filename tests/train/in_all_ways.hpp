// SPDX-License-Identifier: MIT
// The same training in each gating, and without fusion.
#pragma once

#include <xgrad/xgrad.hpp>

namespace test {
/// Calls `f` with the template arguments of `xgrad::minimize`: gating and fusion.
template<class F>
void in_all_ways(F&& f) {
    f.template operator()<xgrad::gating::none, true>();
    f.template operator()<xgrad::gating::op, true>();
    f.template operator()<xgrad::gating::graph, true>();
    f.template operator()<xgrad::gating::none, false>();
    f.template operator()<xgrad::gating::graph, false>();
}
}   // namespace test
