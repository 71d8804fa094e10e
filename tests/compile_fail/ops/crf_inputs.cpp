// SPDX-License-Identifier: MIT
// expect-error: xgrad::crf_log_likelihood\(inputs, tags, lengths, transitions\) or crf_decode\(inputs, transitions, lengths\): inputs are not \[batch, time, tags\]
// One row without a batch.
#include <xgrad/ops/sequences/crf.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto tags = xg::input<"tags", std::int32_t, batch, steps>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto m = xg::variable<"m", float, 5, 5>;
constexpr auto row = xg::input<"row", float, steps, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = std::get<0>(xg::crf_decode(row, m, n));
#else
constexpr auto y = std::get<0>(xg::crf_decode(x, m, n));
#endif
