// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): xs, rows and the outer expressions that the body reads are more than 32 together
// The loss reads 33 inputs.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

template<int... K>
constexpr auto sum_of(std::integer_sequence<int, K...>) {
    return (xg::sum(xg::input<"p", float, K + 1>) + ...);
}
struct loss : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::sum(row * w) * sum_of(std::make_integer_sequence<int, 33>{}); }
#else
    static constexpr auto value(auto row) { return xg::sum(row * w) * sum_of(std::make_integer_sequence<int, 8>{}); }
#endif
};
constexpr auto g = xg::per_example_gradients<loss>(w, x);
