// SPDX-License-Identifier: MIT
// expect-error: xgrad: two inputs or variables have one name, but different shapes, element types or kinds
// expect-error: name_of_two_things<.*"x"
// Two inputs by one name.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto other = xg::input<"x", float, 4>;
float run(std::vector<float> const& a) { return xg::function{xg::sum(x * other)}(x = xg::array(a.data(), 1, 4)); }
#else
constexpr auto other = xg::scope<"other">::input<"x", float, 4>;
float run(std::vector<float> const& a) { return xg::function{xg::sum(x * other)}(x = xg::array(a.data(), 1, 4), other = a); }
#endif
