// SPDX-License-Identifier: MIT
// expect-error: xgrad: a named view of elements that can be written is assigned to, which is ambiguous
// It could mean the elements, or another view.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
using owner = xg::variables<decltype(xg::relu(w))>;

#ifdef XGRAD_EXPECT_ERROR
void copy(owner& to, owner& from) {
    auto view = to.value(w);
    view = from.value(w);
}
#else
void copy(owner& to, owner& from) { to.value(w) = from.value(w); }
#endif
