// SPDX-License-Identifier: MIT
// expect-error: xgrad: try_step or try_call gets arrays by name, which may throw when they are bound
// the call that throws nothing, by names.
#include <xgrad/exec/named_arrays.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;
float const numbers[4] = {};

int main() {
    xg::function f{x + x};
#ifdef XGRAD_EXPECT_ERROR
    return static_cast<int>(f.try_call(xg::named_arrays{{"x", numbers}}).code);
#else
    return static_cast<int>(f.try_call(x = numbers).code);
#endif
}
