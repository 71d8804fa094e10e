// SPDX-License-Identifier: MIT
// expect-error: xgrad::any_function: the function has more than one output
// a function of two results.
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

int main() {
#ifdef XGRAD_EXPECT_ERROR
    xg::any_function f = xg::function{xg::outputs(x + x, x * x)};
#else
    xg::any_function f = xg::function{x + x};
#endif
}
