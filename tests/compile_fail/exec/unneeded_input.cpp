// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: this call binds an input that the expression does not use
// expect-error[clang]: \{"b"\}.*xgrad: this call binds an input that the expression does not use
// An input that the expression has not.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto b = xg::variable<"b", float, 3>;

constexpr auto z = xg::input<"z", float, 4>;
constexpr auto total = xg::sum(x * z);
constexpr auto b_input = xg::input<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a, std::vector<float> const& c) {
    return xg::function{total}(x = xg::array(a.data(), 1, 4), z = c, b_input = c);
}
#else
float run(std::vector<float> const& a, std::vector<float> const& c) {
    return xg::function{total}(x = xg::array(a.data(), 1, 4), z = c);
}
#endif
