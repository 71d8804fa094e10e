// SPDX-License-Identifier: MIT
// expect-error: xgrad::crf_log_likelihood\(inputs, tags, lengths, transitions\): tags are not integers \[batch, time\]
// Tags and lengths are exchanged.
#include <xgrad/ops/sequences/crf.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto tags = xg::input<"tags", std::int32_t, batch, steps>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto m = xg::variable<"m", float, 5, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::crf_log_likelihood(x, n, n, m);
#else
constexpr auto y = xg::crf_log_likelihood(x, tags, n, m);
#endif
