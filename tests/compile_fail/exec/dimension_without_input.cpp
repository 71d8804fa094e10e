// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: a named dimension is no extent of any input, so a call cannot find its size: dimension_without_input<\.\.\.>
// expect-error[clang]: \{"batch"\}.*xgrad: a named dimension is no extent of any input, so a call cannot find its size
// A vector repeated along a dimension that no array shows.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};

int make() {
    constexpr auto x = xg::input<"x", float, 3>;
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto y = xg::broadcast_to<batch, 3>(x);
#else
    constexpr auto y = xg::broadcast_to<5, 3>(x);
#endif
    float const v[3]{};
    xg::function f{y};
    return f(x = xg::array(v, 3))(4, 2) == 0 ? 0 : 1;
}
