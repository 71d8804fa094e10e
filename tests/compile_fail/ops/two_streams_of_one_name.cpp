// SPDX-License-Identifier: MIT
// expect-error: xgrad: two random streams have one name and different inputs, so they would draw the same numbers
// expect-error: name_of_two_random_streams<.*"d"
// Two dropouts of one name on different inputs.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

#ifdef XGRAD_EXPECT_ERROR
auto make() { return xg::function{xg::sum(xg::dropout<"d">(x, 0.5_c)) + xg::sum(xg::dropout<"d">(t, 0.5_c))}; }
#else
auto make() { return xg::function{xg::sum(xg::dropout<"d">(x, 0.5_c)) + xg::sum(xg::dropout<"d">(t, 0.5_c, xg::nn::shared)) + xg::sum(xg::dropout<"d">(x, 0.5_c))}; }
#endif
