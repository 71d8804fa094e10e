// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): the body takes, reads or gives bfloat16 or float16, which loops cannot hold
// Rows of float16.
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
constexpr auto g = xg::per_example_gradients<loss>(w, xg::input<"h", xg::float16, batch, 4>);
#else
constexpr auto g = xg::per_example_gradients<loss>(w, xg::cast<float>(xg::input<"h", xg::float16, batch, 4>));
#endif
