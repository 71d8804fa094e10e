// SPDX-License-Identifier: MIT
// expect-error: x = array is an argument of a call
// One pair of brackets too many.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto z = xg::input<"z", float, 4>;
constexpr auto total = xg::sum(x * z);

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a) { return xg::function{xg::sum(z)}((x = xg::array(a.data(), 1, 4), z = a)); }
#else
float run(std::vector<float> const& a) { return xg::function{total}(x = xg::array(a.data(), 1, 4), z = a); }
#endif
