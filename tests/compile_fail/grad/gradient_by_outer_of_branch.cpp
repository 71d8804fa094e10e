// SPDX-License-Identifier: MIT
// expect-error: an x is an outer expression that a body of cond or switch_case computes itself
// The part of the gradient that passes through the body would be lost.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto h = xg::input<"h", float, 3>;
constexpr auto u = xg::input<"u", float, 3>;
constexpr auto outer = xg::exp(u);
struct reads : xg::region {
    static constexpr auto value(auto a) { return a * outer; }
};
struct does_not : xg::region {
    static constexpr auto value(auto a) { return a * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto x = outer;
#else
constexpr auto x = u;
#endif
constexpr auto y = xg::sum(xg::cond<reads, does_not>(xg::input<"p", bool>, h)) + xg::sum(outer);
void run() { xg::function f{xg::gradient_of(y, x)}; }
