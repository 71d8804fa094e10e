// SPDX-License-Identifier: MIT
// expect-error: another number of xs than of vectors
// Two xs and one vector.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::hvp(xg::sum(xg::tanh(w) * b), std::tuple(w, b), t);
#else
constexpr auto d = xg::hvp(xg::sum(xg::tanh(w) * b), std::tuple(w, b), std::tuple(t, b));
#endif
