// SPDX-License-Identifier: MIT
// expect-error: xgrad: the shapes of the operands do not broadcast: from the right
// A refused expression in a function: one sentence, not a cascade.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a) { return xg::function{xg::sum(x + b)}(x = xg::array(a.data(), 1, 4)); }
#else
float run(std::vector<float> const& a) { return xg::function{xg::sum(x)}(x = xg::array(a.data(), 1, 4)); }
#endif
