// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): a variable is the first argument
// The variable before its initializer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

void f(xg::variables<decltype(xg::relu(w))>& owner) {
#ifdef XGRAD_EXPECT_ERROR
    owner.initialize(xg::initial(w, xg::ones_initializer{}));
#else
    owner.initialize(xg::initial(xg::ones_initializer{}, w));
#endif
}
