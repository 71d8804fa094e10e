// SPDX-License-Identifier: MIT
// expect-error: xgrad: carry\(start\.\.\.\)\.lengths\(n\) and \.turns\(n\): the number of iterations is given twice
// Lengths of rows, and a number of iterations too.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto x = xg::input<"x", float, steps, batch, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct next : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = before * 2_c + row;
        return xg::carry(after);
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<next>(xg::carry(h).lengths(n).turns(k), x);
#else
constexpr auto z = xg::scan<next>(xg::carry(h).lengths(n), x);
#endif
