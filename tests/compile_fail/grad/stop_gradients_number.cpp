// SPDX-License-Identifier: MIT
// expect-error: xgrad::stop_gradients\(h\.\.\.\): an h is not an expression
// A number held constant.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::tanh(w), xg::stop_gradients(2.0f), w);
#else
constexpr auto g = xg::gradients(xg::tanh(w), xg::stop_gradients(b), w);
#endif
