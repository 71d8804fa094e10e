// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_gradients<body>\(x, row\.\.\.\): the body is not one type between < and >, or x and the rows are missing
// The rows are missing.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * w)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(w);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, x);
#endif
