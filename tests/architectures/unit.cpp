// SPDX-License-Identifier: MIT
// Compiled once for each architecture, with UNIT as its name; the two objects are linked into one program.
#include "subject.hpp"

#define XGRAD_TEST_JOIN_(a, b) a##b
#define XGRAD_TEST_JOIN(a, b) XGRAD_TEST_JOIN_(a, b)

extern "C" float XGRAD_TEST_JOIN(sum_, UNIT)(float const* data, std::size_t count) {
    try {
        return work(data, count);
    } catch (xgrad::error const&) { return -1.0f; }
}
