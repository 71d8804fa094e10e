// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): the xs are not all float or all double, so that they have no common norm
// Weights of float and of double.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

constexpr auto v = xg::variable<"v", double, 4>;
struct loss : xg::region {
    static constexpr auto value(auto row) { return xg::sum(row * w) + xg::sum(xg::cast<float>(xg::square(v))); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::per_example_gradient_norms<loss>(std::tuple(w, v), x);
#else
constexpr auto g = xg::per_example_gradient_norms<loss>(w, x);
#endif
