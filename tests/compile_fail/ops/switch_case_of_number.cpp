// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): an argument is not an expression
// A number as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::switch_case<twice, same>(k, 1.0f);
#else
constexpr auto z = xg::switch_case<twice, same>(k, xg::cast<float>(1_c));
#endif
