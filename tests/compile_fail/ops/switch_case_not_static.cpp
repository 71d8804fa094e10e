// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): value of a body cannot be called with these arguments
// A value that is not static.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct first : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto value(auto h) const { return h * 2_c; }
#else
    static constexpr auto value(auto h) { return h * 2_c; }
#endif
};
constexpr auto z = xg::switch_case<first, same>(k, x);
