// SPDX-License-Identifier: MIT
// Lazy Adam moves only the rows that occur of tables of 16 bits and rounds once.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "half_rules.hpp"

namespace xg = xgrad;
using namespace half_rules;

// Sanitizers look at addresses: of rows in place, of packed ones, of tiles. Each model costs their compiler up to a minute.
#if XGRAD_SANITIZED
TEST_CASE("rules by rows round once") { compare<xg::float16, 3>(xg::lazy{xg::adam{.learning_rate = 0.1}}); }
#else
TEST_CASE_TEMPLATE("rules by rows round once", H, xg::bfloat16, xg::float16) {
    compare<H, 3>(xg::lazy{xg::adam{.learning_rate = 0.1}});   // short rows, packed
    compare<H, 19>(xg::lazy{xg::adam{.learning_rate = 0.1}});
}
#endif
