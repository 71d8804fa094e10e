// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::interleaved_rows\(trainer\): a table is read otherwise than by gather and embedding_bag, or moved by several rules: table_used_otherwise<\.\.\.>
// expect-error[clang]: \{"table"\}.*xgrad::interleaved_rows\(trainer\): a table is read otherwise than by gather and embedding_bag, or moved by several rules
// An output of the step would be the table as it is stored.
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
void fit(std::int32_t const (&rows)[5]) {
    constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids)));
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::outputs(loss, xg::sum(table)), xg::lazy_adam{});
#else
    auto train = xg::minimize(xg::outputs(loss, xg::sum(xg::gather(table, ids))), xg::lazy_adam{});
#endif
    xg::interleaved_rows step{train};
    step(ids = rows);
}
