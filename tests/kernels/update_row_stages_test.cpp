// SPDX-License-Identifier: MIT
// Rules with reductions in stages of which one is per row and per column alone, against loops over elements.
#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include "kernels/reduced_rules.hpp"

using namespace xgrad;
using namespace reduced_rules;

namespace {
// Rows and columns alone in the first stage.
constexpr std::array rows_and_columns{reduction_info(per::row, average), reduction_info(per::column, average),
    reduction_info(per::variable, average, 1), reduction_info(per::variable, average, 2)};
// A stage of rows between, and a sum of columns at the end.
constexpr std::array rows_between{
    reduction_info(per::variable, average), reduction_info(per::row, average, 1), reduction_info(per::column, average, 2)};
}   // namespace

TEST_CASE_TEMPLATE("reductions of reductions of rows and columns", T, XGRAD_TESTED_TYPES) {
    check_stages<staged<rows_and_columns, true, sparse_semantics::exact>, T>();
    check_stages<staged<rows_and_columns, false, sparse_semantics::lazy>, T>();
    check_stages<staged<rows_between, false, sparse_semantics::exact>, T>();
}
