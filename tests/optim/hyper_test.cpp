// SPDX-License-Identifier: MIT
// Hyper-parameters: numbers, schedules, functions with state.
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/schedules/schedules.hpp>

#include <doctest/doctest.h>

using namespace xgrad;

static_assert(std::is_trivially_copyable_v<hyper> && sizeof(hyper) <= hyper::capacity + 8);
static_assert(std::is_convertible_v<float, hyper> && std::is_convertible_v<int, hyper> && std::is_convertible_v<exponential_decay, hyper>);
static_assert(std::is_convertible_v<piecewise_constant, hyper>);
static_assert(hyper(0.5).is_number());

TEST_CASE("a hyper-parameter is a number") {
    hyper const h = 0.25f;
    CHECK(h(0) == 0.25);
    CHECK(h(1000) == 0.25);
    CHECK(hyper(3)(7) == 3.0);
}

TEST_CASE("a hyper-parameter is a function with its state, kept in place and copied with it") {
    double const start = 2.0;
    hyper h = [start](std::int64_t step) { return start + static_cast<double>(step); };
    CHECK(!h.is_number());
    hyper copy = h;
    h = 1;
    CHECK(copy(3) == 5.0);
    CHECK(h(3) == 1.0);
    copy = exponential_decay{.learning_rate = 1, .decay_steps = 1, .decay_rate = 0.5};
    CHECK(copy(3) == 0.125);
}
