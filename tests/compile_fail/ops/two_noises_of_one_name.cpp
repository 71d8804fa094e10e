// SPDX-License-Identifier: MIT
// expect-error: xgrad: two random streams have one name and different inputs, so they would draw the same numbers
// Two noises of one name, in a step.
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
auto train = xg::minimize(loss + xg::mean(xg::normal_like<"eps">(x)) + xg::mean(xg::normal_like<"eps">(t)), xg::adam{});
#else
auto train = xg::minimize(loss + xg::mean(xg::normal_like<"eps">(x)) + xg::mean(xg::normal_like<"eps of t">(t)), xg::adam{});
#endif
