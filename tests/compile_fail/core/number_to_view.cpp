// SPDX-License-Identifier: MIT
// expect-error: xgrad: a view is assigned something other than a view of its type
// a number for a view.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float>;

#ifdef XGRAD_EXPECT_ERROR
void run(xg::variables<decltype(w)>& owner) { owner.value(w) = 1.0f; }
#else
void run(xg::variables<decltype(w)>& owner) { owner.value(w)() = 1.0f; }
#endif
