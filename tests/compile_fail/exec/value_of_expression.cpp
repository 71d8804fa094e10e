// SPDX-License-Identifier: MIT
// expect-error: xgrad: value\(v\): v is an expression, not a variable
// The value of an expression.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
auto first(xg::variables<decltype(xg::relu(w))>& owner) { return owner.value(xg::relu(w)).data(); }
#else
auto first(xg::variables<decltype(xg::relu(w))>& owner) { return owner.value(w).data(); }
#endif
