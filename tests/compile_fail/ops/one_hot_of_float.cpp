// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth>\(ids\): ids are not integers
// one_hot of floats.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<4>(x) * 2_c;
#else
constexpr auto z = xg::one_hot<4>(xg::cast<std::int32_t>(x)) * 2_c;
#endif
