// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_gradients<body>\(x, row\.\.\.\): an x has six axes already, and the result one more
// A variable with six axes.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

constexpr auto u = xg::variable<"u", float, 1, 1, 1, 1, 1, 4>;
constexpr auto flat = xg::reshape<4>(u);
struct loss : xg::region {
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * flat)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(u, x);
#else
constexpr auto g = xg::per_example_gradients<loss>(flat, x);
#endif
