// SPDX-License-Identifier: MIT
// expect-error: xgrad: an argument is not the size of a named dimension
// A number in place of a named size, in a constant expression.
#include <xgrad/inspect/cost.hpp>
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
using relu = decltype(xg::function{xg::relu(x)});

#ifdef XGRAD_EXPECT_ERROR
std::int64_t flops() { return xg::cost_of<relu>.flops(64); }
#else
std::int64_t flops() { return xg::cost_of<relu>.flops(batch = 64); }
#endif
