// SPDX-License-Identifier: MIT
// expect-error: a function is used as a number; write a call
// a function that is not called.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run() { [[maybe_unused]] float const s = xg::function{xg::sum(x)}; }
#else
void run(std::vector<float> const& a) { [[maybe_unused]] float const s = xg::function{xg::sum(x)}(x = a); }
#endif
