// SPDX-License-Identifier: MIT
// expect-error: xgrad: snapshot\.restore\(owner\): the owner is missing, const or not first
// The flag before the owner.
#include <xgrad/io/snapshot.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(xg::square(w));

void f() {
    auto train = xg::minimize(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::snapshot const best(train);
    best.restore(xg::variables_only, train);
#else
    xg::snapshot const best(train);
    best.restore(train, xg::variables_only);
#endif
}
