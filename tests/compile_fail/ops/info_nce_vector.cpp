// SPDX-License-Identifier: MIT
// expect-error: xgrad::info_nce\(similarities, temperature\): similarities have fewer than two axes
// Similarities of one row.
#include <xgrad/ops/losses/embeddings.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::info_nce(x, 0.1_c);
#else
constexpr auto y = xg::info_nce(xg::expand_dims<0>(x), 0.1_c);
#endif
