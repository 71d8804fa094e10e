// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): an x has no gradient, because only what the body computes counts
// The rows are results of the model, and the body compares them alone.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::sum(xg::square(row)); }
#else
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * w)); }
#endif
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(w, x * w);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, x);
#endif
