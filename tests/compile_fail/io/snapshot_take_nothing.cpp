// SPDX-License-Identifier: MIT
// expect-error: xgrad: snapshot.take\(owner\): the owner is missing
// A snapshot of no owner.
#include <xgrad/io/snapshot.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(xg::square(w));

void f() {
    auto train = xg::minimize(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::snapshot best;
    best.take();
#else
    xg::snapshot best;
    best.take(train);
#endif
}
