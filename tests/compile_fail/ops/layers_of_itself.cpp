// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): the body calls itself with arguments of the same shapes, without an end
// A layer of layers.
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
    static constexpr auto value(auto h) { return xg::layers<3, body>(h); }
#else
    static constexpr auto value(auto h) { return xg::layers<3, twice>(h); }
#endif
};
constexpr auto z = xg::layers<3, body>(x);
