// SPDX-License-Identifier: MIT
// expect-error: xgrad: several outputs of one operation are used as one operand
// All outputs where one is wanted.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::top_k<2>(x) * 2_c;
#else
constexpr auto z = std::get<0>(xg::top_k<2>(x)) * 2_c;
#endif
