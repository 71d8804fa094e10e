// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): x begins with the first dimension of start, but rows are along the first axis
// The batch is the first axis of x.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
inline constexpr xg::dim steps{"time"};
constexpr auto words = xg::input<"words", float, batch, steps, 4>;
constexpr auto from = xg::input<"from", float, batch, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<add>(from, words);
#else
constexpr auto z = xg::fold<add>(from, xg::transpose<1, 0, 2>(words));
#endif
