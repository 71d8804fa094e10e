// SPDX-License-Identifier: MIT
// expect-error: describe returns text; print it
// A description that is not printed.
#include <xgrad/xgrad.hpp>
#include <xgrad/inspect/describe.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

#ifdef XGRAD_EXPECT_ERROR
void f() { xg::function const g{xg::sum(x)}; xg::describe(g); }
#else
auto f() { xg::function const g{xg::sum(x)}; return xg::describe(g); }
#endif
