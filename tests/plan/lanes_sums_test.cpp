// SPDX-License-Identifier: MIT
// Lanes of four dimensions, and sums of products whose factors are taken out.
#include <plan/lanes_models.hpp>

using namespace lanes_models;

TEST_CASE("factors of sums") { compare<products>(); }
TEST_CASE("four dimensions") { compare<deep>(); }
