// SPDX-License-Identifier: MIT
// expect-error: xgrad: two inputs or variables have one name, but different shapes, element types or kinds
// expect-error: name_of_two_things<.*"x"
// An input and a variable by one name, which have one shape.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::variable<"x", float, 4>;
#else
constexpr auto w = xg::variable<"w", float, 4>;
#endif
float run(std::vector<float> const& a) {
    xg::variables owner{xg::sum(x * w)};
    return xg::function{xg::sum(x * w), owner}(x = a);
}
