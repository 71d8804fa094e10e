// SPDX-License-Identifier: MIT
// Lanes along the rows of a mixture and of sums of products.
#include <plan/lanes_models.hpp>

using namespace lanes_models;

TEST_CASE("a mixture") { compare<mixture>(); }
TEST_CASE("lanes in the middle") { compare<inside>(); }
