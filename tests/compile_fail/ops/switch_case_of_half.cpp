// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): a body takes, reads or gives bfloat16 or float16, which bodies cannot hold
// An argument of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::switch_case<twice, same>(k, half);
#else
constexpr auto z = xg::switch_case<twice, same>(k, xg::cast<float>(half));
#endif
