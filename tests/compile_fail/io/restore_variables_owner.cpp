// SPDX-License-Identifier: MIT
// expect-error: xgrad::restore\(owner, path, variables_only\): owner is neither a trainer \(minimize, apply_gradients\) nor xgrad::variables
// A function in place of the owner of its variables.
#include <xgrad/exec/function.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void run(xg::function<xg::expression_list<decltype(xg::relu(x))>>& owner) { xg::restore(owner, "model.safetensors", xg::variables_only); }
#else
void run(xg::variables<decltype(xg::relu(w))>& owner) { xg::restore(owner, "model.safetensors", xg::variables_only); }
#endif
