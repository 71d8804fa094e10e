// SPDX-License-Identifier: MIT
// expect-error: xgrad::outputs\(a, b\.\.\.\): an output is xgrad::none, the gradient of a y that does not depend on its x: is_no_output<4> means the fourth
// One of the gradients is none.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::input<"w", float, 4>;
constexpr auto s = xg::sum(x);
constexpr auto none = xg::gradient_of(s, w);
constexpr auto zeros = xg::gradient_of(s, xg::unconnected_zeros, w);

#ifdef XGRAD_EXPECT_ERROR
void make() { xg::function f{xg::outputs(s, s, s, none)}; }
#else
void make() { xg::function f{xg::outputs(s, s, s, zeros)}; }
#endif
