// SPDX-License-Identifier: MIT
// expect-error[g++]: the expression is missing; as a member write function<decltype\(y\)> f\{y, train\}, below its owner
// expect-error[clang]: must explicitly initialize the member 'predict'|the expression is missing
// A member that the constructor forgets.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto y = xg::sum(w * w);

struct model {
    xg::variables<decltype(y)> owner{y};
#ifdef XGRAD_EXPECT_ERROR
    xg::function<decltype(y)> predict;
    model() {}
#else
    xg::function<decltype(y)> predict{y, owner};
#endif
};
