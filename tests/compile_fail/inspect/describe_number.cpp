// SPDX-License-Identifier: MIT
// expect-error: xgrad: the argument is neither a trainer, nor a function, nor a program type
// An expression in place of what runs it.
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <string>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
std::string text() { return xg::describe(x); }
#else
std::string text() { return xg::describe(xg::function{xg::relu(x)}); }
#endif
