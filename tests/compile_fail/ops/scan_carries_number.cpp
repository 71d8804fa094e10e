// SPDX-License-Identifier: MIT
// expect-error: xgrad: carry\(\.\.\.\) or emit\(\.\.\.\) of a loop gets something that is not an expression
// A number is carried.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto start = xg::input<"start", float, 3>;
constexpr auto rows = xg::input<"rows", float, 5, 3>;
struct body : xg::region {
    static constexpr auto value(auto h, auto r) {
        auto const next = h + r;
#ifdef XGRAD_EXPECT_ERROR
        return xg::carry(1.0f).emit(next);
#else
        return xg::carry(next).emit(next);
#endif
    }
};
constexpr auto z = xg::scan<body>(xg::carry(start), rows);
