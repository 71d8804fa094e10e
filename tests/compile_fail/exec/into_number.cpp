// SPDX-License-Identifier: MIT
// expect-error: xgrad: f.into.array.: a number is given for a result that has axes
// A number for a vector of one element.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<float> const& a, float& one) { xg::function{xg::exp(x)}.into(one)(x = a); }
#else
void run(std::vector<float> const& a, float (&one)[1]) { xg::function{xg::exp(x)}.into(one)(x = a); }
#endif
