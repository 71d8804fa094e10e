// SPDX-License-Identifier: MIT
// expect-error: no owner is given; write function\{expression, train\}, or without a trainer xgrad::variables vars\{expression\}
// A model for inference in a program without a trainer.
#include <xgrad/exec/function.hpp>
#include <xgrad/nn/dense.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4>;
constexpr auto logits = xg::nn::dense<"out", 3>(x);

int main() {
    xg::variables vars{logits};
#ifdef XGRAD_EXPECT_ERROR
    xg::function f{xg::eval(logits)};
#else
    xg::function f{xg::eval(logits), vars};
#endif
    static_cast<void>(f);
}
