// SPDX-License-Identifier: MIT
// expect-error: xgrad: the array bound to this input has another element type, and nothing is converted silently
// doubles for floats.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto z = xg::input<"z", float, 4>;
constexpr auto total = xg::sum(x * z);

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a, std::vector<double> const& c) {
    return xg::function{total}(x = xg::array(a.data(), 1, 4), z = c);
}
#else
float run(std::vector<float> const& a, std::vector<float> const& c) {
    return xg::function{total}(x = xg::array(a.data(), 1, 4), z = c);
}
#endif
