// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::catch_up\(trainer\): a rule has no closed form for idle steps of its table
// expect-error[clang]: \{"table"\}.*xgrad::catch_up\(trainer\): a rule has no closed form for idle steps of its table
// k idle steps of Adam are not the power of anything.
#include <xgrad/train/catch_up.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
void fit(std::int32_t const (&rows)[5]) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::lazy_adam{});
#else
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(table, ids))), xg::momentum{});
#endif
    xg::catch_up step{train};
    step(ids = rows);
}
