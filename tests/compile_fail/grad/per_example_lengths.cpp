// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): the arguments after x have different numbers of rows
// Labels of another length.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
    static constexpr auto value(auto row, auto label) { return xg::square(xg::sum(row * w) - label); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(w, x, xg::input<"y", float, 8>);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, x, xg::input<"y", float, batch>);
#endif
