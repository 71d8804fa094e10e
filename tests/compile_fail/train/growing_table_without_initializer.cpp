// SPDX-License-Identifier: MIT
// expect-error: xgrad::growing_table\(name, owner, table, initializer\): an argument is missing
// No name and no initializer.
#include <xgrad/xgrad.hpp>
#include <xgrad/train/growing_table.hpp>

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
void make() { auto train = xg::minimize(loss, xg::adam{}); xg::growing_table users(train, w); }
#else
void make() { auto train = xg::minimize(loss, xg::adam{}); xg::growing_table users("users", train, w, xg::random_uniform{.seed = 1}); }
#endif
