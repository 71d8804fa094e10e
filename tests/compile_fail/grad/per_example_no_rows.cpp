// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): an argument after x has no rows
// A number for all examples among the rows.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
    static constexpr auto value(auto row, auto...) { return xg::sum(xg::square(row * w)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(w, x, xg::input<"scale", float>);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, x);
#endif
