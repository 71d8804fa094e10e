// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_\.\.\.<body>\(x, row\.\.\.\): xs, rows and the outer expressions that the body reads are more than 256 together
// The loss reads 257 inputs.
#include <xgrad/grad/per_example.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

template<int First, int Count>
struct sum_of : xg::let<sum_of<First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return xg::sum(xg::input<"p", float, First + 1>);
        else return sum_of<First, Count / 2>{} + sum_of<First + Count / 2, Count - Count / 2>{};
    }
};
struct loss : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::sum(row * w) * sum_of<0, 257>{}; }
#else
    static constexpr auto value(auto row) { return xg::sum(row * w) * sum_of<0, 8>{}; }
#endif
};
constexpr auto g = xg::per_example_gradients<loss>(w, x);
