// SPDX-License-Identifier: MIT
// expect-error: a trainer is copied; write auto b = std::move\(a\)
// a copy of a trainer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(x * w);

int main() {
    auto a = xg::minimize(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    auto b = a;
#else
    auto b = std::move(a);
#endif
}
