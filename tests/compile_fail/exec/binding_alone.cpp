// SPDX-License-Identifier: MIT
// expect-error: x = array is an argument of a call
// A binding that no call takes.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void bind(std::vector<float> const& a) { x = xg::array(a.data(), 1, 4); }
#else
auto bind(std::vector<float> const& a) { return x = xg::array(a.data(), 1, 4); }
#endif
