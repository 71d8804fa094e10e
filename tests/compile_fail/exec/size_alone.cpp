// SPDX-License-Identifier: MIT
// expect-error: batch = 64 is an argument
// A size that is not used.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void room(xg::function<xg::expression_list<decltype(xg::relu(x))>>&) { batch = 64; }
#else
void room(xg::function<xg::expression_list<decltype(xg::relu(x))>>& f) { f.reserve(batch = 64); }
#endif
