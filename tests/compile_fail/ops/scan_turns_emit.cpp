// SPDX-License-Identifier: MIT
// expect-error: xgrad: carry\(\.\.\.\)\.turns\(n\)\.emit\(y\.\.\.\): the number of iterations belongs to the start values
// A body that says how often it runs.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct next : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(h * 2_c).turns(k).emit(h); }
#else
    static constexpr auto value(auto h) { return xg::carry(h * 2_c).emit(h); }
#endif
};
constexpr auto z = xg::scan<next, 10>(xg::carry(x).turns(k));
