// SPDX-License-Identifier: MIT
// expect-error: batch = 64 is an argument
// A size that nobody takes.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
template<class Function>
void room(Function& f) {
    batch = 64;
    f.reserve();
}
template void room(xg::function<xg::expression_list<decltype(xg::relu(x))>>&);
#else
template<class Function>
void room(Function& f) {
    f.reserve(batch = 64);
}
template void room(xg::function<xg::expression_list<decltype(xg::relu(x))>>&);
#endif
