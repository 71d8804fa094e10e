// SPDX-License-Identifier: MIT
// expect-error: xgrad: two layers have one name and different inputs, so they would share variables
// more errors: clang takes nothing of a program that has been refused
// two outputs of one function.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run(xg::variable_owner& owner) { xg::function f{xg::outputs(xg::nn::dense<"h", 4>(x), xg::nn::dense<"h", 4>(-x)), owner}; }
#else
void run(xg::variable_owner& owner) { xg::function f{xg::outputs(xg::nn::dense<"h", 4>(x), -xg::nn::dense<"h", 4>(x)), owner}; }
#endif
