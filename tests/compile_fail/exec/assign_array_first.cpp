// SPDX-License-Identifier: MIT
// expect-error: xgrad: assign\(v, array\): the first argument is not a variable
// the array first.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train.assign(a, w);
}
#else
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train.assign(w, xg::array(a, 4, 3));
}
#endif
