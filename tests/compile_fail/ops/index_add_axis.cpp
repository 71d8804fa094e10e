// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_\.\.\.\(x, ids, updates\), index_\.\.\.<axis>\(x, ids, updates\): x does not have this axis
// an axis that x does not have.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::index_add<2>(x, i, 1_c);
#else
constexpr auto z = xg::index_add<1>(x, i, 1_c);
#endif
