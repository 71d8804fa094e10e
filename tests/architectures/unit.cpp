// SPDX-License-Identifier: MIT
// Compiled once for each architecture, with UNIT as its name; the two objects are linked into one program.
#include "subject.hpp"

#define XGRAD_TEST_JOIN_(a, b) a##b
#define XGRAD_TEST_JOIN(a, b) XGRAD_TEST_JOIN_(a, b)

/// Fits a line to points; writes slope and offset. False where xgrad has thrown, as it must for two arrays of different lengths.
extern "C" bool XGRAD_TEST_JOIN(fit_, UNIT)(float const* xs, float const* ys, std::size_t x_count, std::size_t y_count, float* line) {
    using namespace regression;
    try {
        auto train = make();
        for (int step = 0; step < 500; ++step) train(x = xg::array(xs, x_count), y = xg::array(ys, y_count));
        line[0] = train.value(slope)[0];
        line[1] = train.value(offset)[0];
        return true;
    } catch (xg::error const&) { return false; }
}
