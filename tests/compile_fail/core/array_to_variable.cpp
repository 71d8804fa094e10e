// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array is assigned to a variable
// Variables are not bound in a call.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void set(xg::variables<decltype(xg::relu(w))>&, std::vector<float> const& a) { w = a; }
#else
void set(xg::variables<decltype(xg::relu(w))>& owner, std::vector<float> const& a) { owner.assign(w, xg::array(a.data(), 4, 3)); }
#endif
