// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rules\.\.\.\): two rules have no list of variables, and the second would move none
// Two rules, each for all variables.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(x, w) + b, y));

#ifdef XGRAD_EXPECT_ERROR
auto make() { return xg::minimize(loss, xg::adam{}, xg::adagrad{}); }
#else
auto make() { return xg::minimize(loss, xg::param_group(xg::adam{}, w), xg::adagrad{}); }
#endif

float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = make();
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
