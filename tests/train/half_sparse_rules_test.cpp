// SPDX-License-Identifier: MIT
// Rules that move only the rows that occur of tables of 16 bits round once.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "half_rules.hpp"

namespace xg = xgrad;
using namespace half_rules;

// Sanitizers look at addresses: one rule has them all, and each model costs their compiler up to a minute.
TEST_CASE("more rules by rows round once") {
    using H = xg::bfloat16;
    compare<H, 7>(xg::adagrad{.learning_rate = 0.1});
#if !XGRAD_SANITIZED
    compare<H, 5>(xg::ftrl{.learning_rate = 0.1});
    compare<H, 19>(xg::lazy{xg::lamb{.learning_rate = 0.1}});
    compare<H, 17>(xg::rowwise_adagrad{.learning_rate = 0.1});
#endif
}
