// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): a result of a body is a constant without element type
// A result without element type.
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
    static constexpr auto value(auto) { return 1_c; }
#else
    static constexpr auto value(auto h) { return h * 0_c + 1_c; }
#endif
};
constexpr auto z = xg::switch_case<first, same>(k, x);
