// SPDX-License-Identifier: MIT
// expect-error: a function is copied; write auto g = std::move\(f\)
// a function that is copied.
#include <xgrad/xgrad.hpp>

#include <utility>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run() {
    xg::function f{xg::sum(x)};
    auto g = f;
}
#else
void run() {
    xg::function f{xg::sum(x)};
    auto g = std::move(f);
}
#endif
