// SPDX-License-Identifier: MIT
// expect-error: xgrad::crf_log_likelihood\(inputs, tags, lengths, transitions\) or crf_decode\(inputs, transitions, lengths\): transitions are not \[tags, tags\]
// Transitions of fewer tags.
#include <xgrad/ops/sequences/crf.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto tags = xg::input<"tags", std::int32_t, batch, steps>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto m = xg::variable<"m", float, 5, 5>;
constexpr auto small = xg::variable<"small", float, 4, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::crf_log_likelihood(x, tags, n, small);
#else
constexpr auto y = xg::crf_log_likelihood(x, tags, n, m);
#endif
