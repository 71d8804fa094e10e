// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_clipped_sum<body>\(x, clip_norm, row\.\.\.\): the body is not one type between < and >, or x, clip_norm or the rows are missing
// A lambda as the body.
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
constexpr auto g = xg::per_example_clipped_sum<[](auto row) { return xg::sum(row * w); }>(w, 1_c, x);
#else
constexpr auto g = xg::per_example_clipped_sum<loss>(w, 1_c, x);
#endif
