// SPDX-License-Identifier: MIT
// Denormals are zero inside the guard and restored after it, also when guards nest.
#include <xgrad/backend/flush_denormals.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {
float halve(float x) {
    float volatile factor = 0.5f, value = x;   // volatile: computed at run time
    return value * factor;
}
}   // namespace

#if defined(__SSE2__) || defined(__aarch64__)
TEST_CASE("denormals are flushed inside and kept outside") {
    float const smallest = std::numeric_limits<float>::min();
    CHECK(halve(smallest) != 0.0f);
    {
        xgrad::flush_denormals guard;
        CHECK(halve(smallest) == 0.0f);   // the result
        CHECK(halve(std::numeric_limits<float>::denorm_min() * 8) == 0.0f);
        {
            xgrad::flush_denormals inner;
            CHECK(halve(smallest) == 0.0f);
        }
        CHECK(halve(smallest) == 0.0f);
    }
    CHECK(halve(smallest) != 0.0f);
}
#endif
