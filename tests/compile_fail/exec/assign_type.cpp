// SPDX-License-Identifier: MIT
// expect-error: xgrad: assign\(v, array\): the array has another element type than the variable
// doubles into a variable of floats.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void set(xg::variables<decltype(xg::relu(b))>& owner, std::vector<double> const& a) { owner.assign(b, a); }
#else
void set(xg::variables<decltype(xg::relu(b))>& owner, std::vector<float> const& a) { owner.assign(b, a); }
#endif
