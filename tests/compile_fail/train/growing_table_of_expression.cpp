// SPDX-License-Identifier: MIT
// expect-error: xgrad::growing_table\{name, owner, v, initializer\}: v is not a variable of the owner
// Rows of an expression.
#include <xgrad/train/growing_table.hpp>
#include <xgrad/xgrad.hpp>

using namespace xgrad;

constexpr auto table = variable<"table", float, 10, 3>;
constexpr auto rows = gather(table, input<"ids", std::int32_t, 4>);

void program() {
    auto train = minimize(mean(rows), adagrad{});
#ifdef XGRAD_EXPECT_ERROR
    growing_table known{"rows", train, rows, random_normal{}};
#else
    growing_table known{"rows", train, table, random_normal{}};
#endif
    known.expire(1);
}
