// SPDX-License-Identifier: MIT
// Rules with reductions in stages of which the first sums over the whole variable, against loops over elements.
#include <xgrad/optim/rule.hpp>

#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <array>

#include "kernels/reduced_rules.hpp"

using namespace xgrad;
using namespace reduced_rules;

namespace {
// All scopes in all stages.
constexpr std::array all_scopes{reduction_info(per::row, average), reduction_info(per::column, average),
    reduction_info(per::variable, average), reduction_info(per::variable, average, 1), reduction_info(per::row, average, 1),
    reduction_info(per::column, average, 1), reduction_info(per::row, average, 2), reduction_info(per::variable, average, 2)};
}   // namespace

TEST_CASE_TEMPLATE("reductions of reductions of the variable", T, XGRAD_TESTED_TYPES) {
    check_stages<staged<all_scopes, true, sparse_semantics::lazy>, T>();
    check_stages<staged<all_scopes, false, sparse_semantics::exact>, T>();
}
