// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\): the sequence begins with a carry's first dimension, but its first axis is time
// expect-error: "\[batch, time, 4\]"}.*"\[batch, 4\]"
// The batch is the first axis of the sequence.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

struct cell : xg::region {
    static constexpr auto value(auto h, auto r) { return xg::carry(h + r); }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell>(xg::carry(x), xg::input<"u", float, batch, steps, 4>);
#else
constexpr auto z = xg::scan<cell>(xg::carry(x), xg::transpose<1, 0, 2>(xg::input<"u", float, batch, steps, 4>));
#endif
