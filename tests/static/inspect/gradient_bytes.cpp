// SPDX-License-Identifier: MIT
// The bytes of gradients, counted manually.
#include <xgrad/inspect/gradient_bytes.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim words{"words"};

constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 3>;
constexpr auto word = xg::input<"word", std::int64_t, batch>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 1000, 7>;
constexpr auto growing = xg::variable<"growing", float, words, 7>;
constexpr auto w1 = xg::variable<"w1", float, 5, 7>;
constexpr auto b1 = xg::variable<"b1", float, 7>;
constexpr auto w2 = xg::variable<"w2", float, 7, 4>;
constexpr auto hidden = xg::tanh(xg::matmul(x, w1) + b1 + xg::embedding_bag(table, ids) + xg::gather(growing, word));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, w2), y));
using fused = decltype(xg::minimize(loss, xg::adam{}, words = 10));
using gated = decltype(xg::minimize<xg::gating::graph>(loss, xg::adam{}, words = 10));

constexpr std::int64_t dense = 4 * (5 * 7 + 7 + 7 * 4);
constexpr std::int64_t slices(std::int64_t rows) { return rows * 3 * (7 * 4 + 4) + rows * (7 * 4 + 8); }

static_assert(xg::gradient_bytes_of<fused>.count() == 5);
static_assert(xg::gradient_bytes_of<fused>.dense() == dense);
static_assert(xg::gradient_bytes_of<fused>.slices(batch = 64) == slices(64));
static_assert(xg::gradient_bytes_of<gated>.dense() == dense);
static_assert(xg::gradient_bytes_of<gated>.slices(batch = 64) == slices(64));
static_assert(xg::gradient_bytes_of<gated>.slices(batch = 1) == slices(1));

// all of a table that is used whole, in the type of the rule
constexpr auto v = xg::variable<"v", double, words, 3>;
using whole = decltype(xg::minimize(xg::sum(v * v), xg::gradient_descent{}, words = 10));
static_assert(xg::gradient_bytes_of<whole>.dense(words = 10) == 10 * 3 * 8);
static_assert(xg::gradient_bytes_of<whole>.slices(words = 10) == 0);
constexpr auto half = xg::variable<"half", xg::bfloat16, 6>;
static_assert(xg::gradient_bytes_of<decltype(xg::minimize(xg::sum(xg::square(half)), xg::gradient_descent{}))>.dense() == 6 * 4);

}   // namespace
