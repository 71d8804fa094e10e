// SPDX-License-Identifier: MIT
// expect-error: xgrad: carry\(start\.\.\.\)\.turns\(n\): n is missing, or there are several
// turns without a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<next, 10>(xg::carry(x).turns());
#else
constexpr auto z = xg::scan<next, 10>(xg::carry(x).turns(k));
#endif
