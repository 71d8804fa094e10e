// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::catch_up\(trainer\): a table is read otherwise than by gather\(table, ids\) with the ids of one input: table_read_otherwise<\.\.\.>
// expect-error[clang]: \{"table"\}.*xgrad::catch_up\(trainer\): a table is read otherwise than by gather\(table, ids\) with the ids of one input
// The output reads rows that the step does not bring up to date.
#include <xgrad/train/catch_up.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto fixed = xg::non_trainable<"fixed", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
constexpr auto other = xg::input<"other", std::int32_t, 5>;
constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids)));
void fit(std::int32_t const (&rows)[5]) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::outputs(loss, xg::gather(table, other)), xg::momentum{});
#else
    auto train = xg::minimize(xg::outputs(loss, xg::gather(table, ids) + xg::gather(fixed, other)), xg::momentum{});
#endif
    xg::catch_up step{train};
    step(ids = rows, other = rows);
}
