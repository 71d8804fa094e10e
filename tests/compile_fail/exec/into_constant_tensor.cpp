// SPDX-License-Identifier: MIT
// expect-error: xgrad: f.into.array.: the array is constant, or shows constant elements
// A result that owns its memory, and is constant.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<float> const& a) {
    auto const kept = xg::function{xg::exp(x)}(x = a);
    xg::function{xg::exp(x)}.into(kept)(x = a);
}
#else
void run(std::vector<float> const& a) {
    auto kept = xg::function{xg::exp(x)}(x = a);
    xg::function{xg::exp(x)}.into(kept)(x = a);
}
#endif
