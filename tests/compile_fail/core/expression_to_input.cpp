// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is assigned to an input, which never changes
// Layers in a loop of habit: the name of an input is not a variable of C++.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto net() {
    auto h = x;
    h = xg::relu(h);
    return h;
}
constexpr auto z = net();
#else
constexpr auto net() {
    auto h = x;
    auto hidden = xg::relu(h);
    return hidden;
}
constexpr auto z = net();
#endif
