// SPDX-License-Identifier: MIT
// expect-error: xgrad::restore\(owner, path\): the owner is const, has no variables yet or is not first, or the path is missing
// an owner that is const.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run(xg::variables<decltype(loss)> const& owner) { xg::restore(owner, "model.safetensors"); }
#else
void run(xg::variables<decltype(loss)>& owner) { xg::restore(owner, "model.safetensors"); }
#endif
