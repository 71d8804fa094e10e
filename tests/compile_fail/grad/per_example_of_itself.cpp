// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): the body calls itself with arguments of the same shapes, without an end
// A body that takes the gradients of its loss.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

struct loss : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::sum(xg::per_example_gradient_norms<loss>(w, xg::broadcast_to<batch, 4>(row))); }
#else
    static constexpr auto value(auto row) { return xg::sum(row * w); }
#endif
};
constexpr auto g = xg::per_example_gradients<loss>(w, x);
