// SPDX-License-Identifier: MIT
// expect-error: xgrad::semi_hard_triplet\(distances, labels, margin\): distances are not \[n, n\]
// Embeddings in place of distances.
#include <xgrad/ops/losses/embeddings.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::semi_hard_triplet(x, labels);
#else
constexpr auto y = xg::semi_hard_triplet(xg::squared_distances(x, x), labels);
#endif
