// SPDX-License-Identifier: MIT
// expect-error: xgrad: an argument is not the size of a named dimension
// A number in place of a named size.
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <string>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
std::string text() { return xg::summarize(xg::function{xg::relu(x)}, 64); }
#else
std::string text() { return xg::summarize(xg::function{xg::relu(x)}, batch = 64); }
#endif
