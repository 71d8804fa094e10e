// SPDX-License-Identifier: MIT
// expect-error: xgrad::top_k<k>\(x\): x is bool
// The largest truth value.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = std::get<1>(xg::top_k<2>(xg::greater(x, 0_c)));
#else
constexpr auto z = std::get<1>(xg::top_k<2>(xg::cast<float>(xg::greater(x, 0_c))));
#endif
