// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: a rule is for variables of 16 bits and has one of another type
// expect-error[clang]: \{"b"\}.*xgrad: a rule is for variables of 16 bits and has one of another type
// A float variable has nothing that rounding takes away.
#include <xgrad/xgrad.hpp>

using namespace xgrad;

constexpr auto w = variable<"w", bfloat16, 4>;
constexpr auto b = variable<"b", float, 4>;
constexpr auto loss = sum(square(w + b));

void program() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = minimize(loss, master_weights<bfloat16>(adam{}));
#else
    auto train = minimize(loss, param_group(master_weights<bfloat16>(adam{}), w), adam{});
#endif
    train();
}
