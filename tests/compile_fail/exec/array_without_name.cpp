// SPDX-License-Identifier: MIT
// expect-error: xgrad: an argument of this call is not bound to an input
// An array without its input.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto z = xg::input<"z", float, 4>;
constexpr auto total = xg::sum(x * z);

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a, std::vector<float> const& c) {
    return xg::function{total}(xg::array(a.data(), 1, 4), c);
}
#else
float run(std::vector<float> const& a, std::vector<float> const& c) {
    return xg::function{total}(x = xg::array(a.data(), 1, 4), z = c);
}
#endif
