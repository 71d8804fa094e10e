// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): the body maps itself over rows of the same shapes, without an end
// A body that maps itself.
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
    static constexpr auto value(auto row) { return xg::sum<0>(xg::map<body>(x + row)); }
#else
    static constexpr auto value(auto row) { return xg::sum<0>(xg::map<twice>(x + row)); }
#endif
};
constexpr auto z = xg::map<body>(x);
