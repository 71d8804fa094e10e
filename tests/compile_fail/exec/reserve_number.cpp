// SPDX-License-Identifier: MIT
// expect-error: xgrad: an argument is not the size of a named dimension
// A number in place of a named size.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void room() { xg::function{xg::relu(x)}.reserve(64); }
#else
void room() { xg::function{xg::relu(x)}.reserve(batch = 64); }
#endif
