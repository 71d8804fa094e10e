// SPDX-License-Identifier: MIT
// xgrad::core from one header, made by tools/amalgamate --core: an expression, its gradient, what the compiler knows of them.
#include <xgrad/core.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));
constexpr auto slope = xg::gradient_of(loss, w);

int main() {
    constexpr auto shape = xg::value_of<decltype(slope)>.dims;
    static_assert(xg::value_of<decltype(loss)>.dims.rank == 0 && shape.rank == 2);
    return shape.extents[0].constant == 4 && shape.extents[1].constant == 3 ? 0 : 1;
}
