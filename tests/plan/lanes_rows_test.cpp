// SPDX-License-Identifier: MIT
// Lanes along values for each row.
#include <plan/lanes_models.hpp>

using namespace lanes_models;

TEST_CASE("largest elements") { compare<nearest>(); }
TEST_CASE("weighted means") { compare<means>(); }
