// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): body::value does not return the loss of one example, a float or double without axes
// A loss for each element of a row.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::square(row * w); }
#else
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * w)); }
#endif
};
constexpr auto g = xg::per_example_gradients<loss>(w, x);
