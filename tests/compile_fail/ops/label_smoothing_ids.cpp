// SPDX-License-Identifier: MIT
// expect-error: xgrad::label_smoothing\(labels, smoothing\): labels are ids, or have no axis
// Ids in place of their rows.
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto z = xg::input<"z", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::label_smoothing(z, 0.1_c);
#else
constexpr auto y = xg::label_smoothing<10>(z, 0.1_c);
#endif
