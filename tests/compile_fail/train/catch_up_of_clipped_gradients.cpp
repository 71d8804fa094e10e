// SPDX-License-Identifier: MIT
// expect-error: xgrad::catch_up\(trainer\): a rule has no closed form for idle steps of its table
// Clipping is not a linear map of a single row.
#include <xgrad/train/catch_up.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
void fit(std::int32_t const (&rows)[5]) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::chain(xg::clip_by_global_norm(1), xg::momentum{}));
#else
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::chain(xg::decoupled_decay{0.01}, xg::momentum{}));
#endif
    xg::catch_up step{train};
    step(ids = rows);
}
