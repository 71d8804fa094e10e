// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): a body is not a defined struct derived from xgrad::region
// A body without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
#ifdef XGRAD_EXPECT_ERROR
struct first {
#else
struct first : xg::region {
#endif
    static constexpr auto value(auto h) { return h * 2_c; }
};
constexpr auto z = xg::switch_case<first, same>(k, x);
