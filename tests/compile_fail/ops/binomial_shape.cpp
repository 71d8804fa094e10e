// SPDX-License-Identifier: MIT
// expect-error: xgrad::binomial_like<"name">\(n, p\): n does not repeat to the shape of p
// More numbers of trials than probabilities.
#include <xgrad/ops/random/counts.hpp>

namespace xg = xgrad;

constexpr auto n = xg::input<"n", float, 3, 4>;
constexpr auto p = xg::input<"p", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::binomial_like<"b">(n, p);
#else
constexpr auto z = xg::binomial_like<"b">(n, xg::broadcast_to<3, 4>(p));
#endif
