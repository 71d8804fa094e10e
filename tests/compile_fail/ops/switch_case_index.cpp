// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): index is not an expression of an integer type and rank 0
// An integer of C++ as the index.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::switch_case<same, twice>(1, x);
#else
constexpr auto z = xg::switch_case<same, twice>(k, x);
#endif
