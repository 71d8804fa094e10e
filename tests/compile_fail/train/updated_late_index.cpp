// SPDX-License-Identifier: MIT
// expect-error: xgrad: the indices of a lookup are made of updated\(v\), so they could be checked only after variables have changed
// Indices that are known only when variables have been changed.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto table = xg::variable<"table", float, 8>;
constexpr auto chosen = xg::non_trainable<"chosen", float, 3>;

auto make() {
    auto const loss = xg::sum(xg::square(w)) + xg::sum(table);
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::adam{}, xg::assign(chosen, xg::gather(table, xg::cast<std::int32_t>(xg::updated(w)))));
#else
    return xg::minimize(loss, xg::adam{}, xg::assign(chosen, xg::gather(table, xg::cast<std::int32_t>(w))));
#endif
}
