// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): x is not an expression of float or double, such as a variable
// The gradient by the labels.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

constexpr auto y = xg::input<"y", std::int32_t, batch>;
struct loss : xg::region {
    static constexpr auto value(auto row) { return xg::sum(xg::square(row * w)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradients<loss>(y, x);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, x);
#endif
