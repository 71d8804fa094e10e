// SPDX-License-Identifier: MIT
// expect-error: xgrad: assign\(v, array\): v is not a variable
// An input takes no value.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void set(xg::variables<decltype(xg::relu(b))>& owner, std::vector<float> const& a) { owner.assign(x, a); }
#else
void set(xg::variables<decltype(xg::relu(b))>& owner, std::vector<float> const& a) { owner.assign(b, a); }
#endif
