// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): body is not a defined struct derived from xgrad::region
// A body without its base.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct loss {
#else
struct loss : xg::region {
#endif
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * w)); }
};
constexpr auto g = xg::per_example_gradients<loss>(w, x);
