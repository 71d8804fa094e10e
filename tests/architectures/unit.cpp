// SPDX-License-Identifier: MIT
// Compiled once for each architecture, with UNIT as its name; the two objects are linked into one program.
#include "subject.hpp"

#define XGRAD_TEST_JOIN_(a, b) a##b
#define XGRAD_TEST_JOIN(a, b) XGRAD_TEST_JOIN_(a, b)

extern "C" float XGRAD_TEST_JOIN(sum_, UNIT)(float const* data, std::size_t count) { return sum(data, count); }
extern "C" float XGRAD_TEST_JOIN(train_, UNIT)(float const* data, std::size_t count) { return train(data, count); }
