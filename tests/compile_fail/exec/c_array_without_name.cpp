// SPDX-License-Identifier: MIT
// expect-error: xgrad: the bound C array has no name, and a binding cannot hold it
// An array that ends with the expression.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <array>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3>;
using three = float[3];

#ifdef XGRAD_EXPECT_ERROR
auto stored() { return x = three{1, 2, 3}; }
#else
auto stored() { return x = std::array<float, 3>{1, 2, 3}; }
#endif
