// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is assigned to an input, which never changes
// An expression is no array for an input.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void run(xg::function<xg::expression_list<std::remove_const_t<decltype(x * x)>>>& f) { f(x = w); }
#else
void run(xg::function<xg::expression_list<std::remove_const_t<decltype(x * x)>>>& f, float const* p) { f(x = xg::array(p, 1, 4)); }
#endif
