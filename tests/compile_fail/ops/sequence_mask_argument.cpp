// SPDX-License-Identifier: MIT
// expect-error: xgrad::sequence_mask\(lengths\): the length of the mask is not in angle brackets
// The length as an argument, as in TensorFlow.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto length = xg::input<"length", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cast<float>(xg::sequence_mask(length, time_steps));
#else
constexpr auto z = xg::cast<float>(xg::sequence_mask<time_steps>(length));
#endif
