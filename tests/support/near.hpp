// SPDX-License-Identifier: MIT
// Numbers that differ from a recorded one by a few roundings of double.
#pragma once

#include <doctest/doctest.h>

namespace test {
/// `CHECK(x == near(1.5))`
inline doctest::Approx near(double x) { return doctest::Approx(x).epsilon(1e-14); }
}   // namespace test
