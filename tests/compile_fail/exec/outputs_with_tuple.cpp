// SPDX-License-Identifier: MIT
// expect-error: take a tuple such as that of sort or compute_gradients apart first
// more errors: the results of the refused function are no array
// The two results of an operation as one output.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
void make() {
    xg::function f{xg::outputs(x, xg::sort(x))};
    auto const [a, b] = f(x = {1, 2, 3, 4});
}
#else
void make() {
    constexpr auto sorted = xg::sort(x);
    xg::function f{xg::outputs(x, std::get<0>(sorted), std::get<1>(sorted))};
}
#endif
