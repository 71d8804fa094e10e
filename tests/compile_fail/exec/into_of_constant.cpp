// SPDX-License-Identifier: MIT
// expect-error: xgrad: f\.into\(\.\.\.\) is called on a constant function, but a call writes into the function
// A constant function.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
void run(xg::function<xg::expression_list<decltype(xg::exp(x))>> const& f, std::vector<float> const& a, std::vector<float>& out) { f.into(out)(x = a); }
#else
void run(xg::function<xg::expression_list<decltype(xg::exp(x))>>& f, std::vector<float> const& a, std::vector<float>& out) { f.into(out)(x = a); }
#endif
