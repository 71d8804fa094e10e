// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): the body calls itself with arguments of the same shapes, without an end
// A body that runs itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::call<body>(h); }
#else
    static constexpr auto value(auto h) { return xg::call<twice>(h); }
#endif
};
constexpr auto z = xg::call<body>(x);
