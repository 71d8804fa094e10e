// SPDX-License-Identifier: MIT
// expect-error: xgrad::interleaved_rows\(trainer\): no rule moves only those rows of a table that occur, with slots of its type
// Adam moves all rows of a table in each step.
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
void fit(std::int32_t const (&rows)[5]) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::adam{});
#else
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::lazy_adam{});
#endif
    xg::interleaved_rows step{train};
    step(ids = rows);
}
