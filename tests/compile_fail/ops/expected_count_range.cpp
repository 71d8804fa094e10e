// SPDX-License-Identifier: MIT
// expect-error: xgrad::log_uniform_expected_count<range, draws>\(ids, tries\): the range
// No draw.
#include <xgrad/ops/random/distinct_draws.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
constexpr auto tries = xg::input<"tries", std::int64_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::log_uniform_expected_count<10, 0>(ids, tries);
#else
constexpr auto z = xg::log_uniform_expected_count<10, 4>(ids, tries);
#endif
