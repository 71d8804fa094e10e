// SPDX-License-Identifier: MIT
// expect-error: xgrad: something is assigned to an expression
// an array for what is no input.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::relu(x);
void run(std::vector<float> const& a) { xg::function{xg::sum(h)}(h = a); }
#else
void run(std::vector<float> const& a) { xg::function{xg::sum(xg::relu(x))}(x = a); }
#endif
