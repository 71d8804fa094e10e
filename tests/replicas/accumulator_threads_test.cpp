// SPDX-License-Identifier: MIT
// Accumulators between threads: each waiting caller is served in order or gets a reason, and no gradient is lost or counted twice.
#include <support/message_of.hpp>

#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
template<class A>
void until_waiting(A const& sums, int n) {
    while (sums.num_waiting() != n) std::this_thread::sleep_for(100us);
}
using test::message_of;
}   // namespace

TEST_CASE("D5: a take that comes first waits for the third gradient") {
    xg::conditional_accumulator<float> sums;
    float mean = 0;
    {
        std::jthread const taker([&] { mean = sums.take_grad(3)[0]; });
        until_waiting(sums, 1);
        for (float g : {10.f, 20.f, 30.f}) sums.apply_grad(g);
    }
    CHECK(mean == 20);
}
TEST_CASE("D18: takes that wait are served in their order, each with one gradient") {
    xg::conditional_accumulator<float> sums;
    std::vector<float> got(10, -1);
    {
        std::vector<std::jthread> takers;
        for (int k = 0; k < 10; ++k) {
            takers.emplace_back([&, k] { got[static_cast<std::size_t>(k)] = sums.take_grad(1)[0]; });
            until_waiting(sums, k + 1);
        }
        for (int e = 0; e < 10; ++e) CHECK(sums.apply_grad(static_cast<float>(e), e));
    }
    for (int k = 0; k < 10; ++k) CHECK(got[static_cast<std::size_t>(k)] == static_cast<float>(k));
    CHECK(sums.num_accumulated() == 0);
}
TEST_CASE("D19: a take that needs five keeps a later one waiting that needs one, until it leaves") {
    for (int how : {0, 1}) {
        xg::conditional_accumulator<float> sums({.name = "w"});
        std::stop_source stop;
        std::string first;
        float second = 0;
        {
            std::jthread const five([&] {
                first = message_of<xg::error>([&] { sums.take_grad(5, {.timeout = how == 0 ? 50ms : 1h, .stop = stop.get_token()}); });
            });
            until_waiting(sums, 1);
            std::jthread const one([&] {
                try {
                    second = sums.take_grad(1, {.timeout = 20s})[0];
                } catch (xg::timeout_error const&) {}
            });
            while (sums.num_waiting() < 2 && how == 1) std::this_thread::sleep_for(100us);
            sums.apply_grad(7.f);
            if (how == 1) {
                std::this_thread::sleep_for(5ms);
                CHECK(sums.num_accumulated() == 1);
                CHECK(sums.num_waiting() == 2);
                stop.request_stop();
            }
        }
        CHECK(second == 7);
        CHECK(first == (how == 0 ? "xgrad: accumulator \"w\".take_grad(5): not enough gradients have come in time: 1 of 5"
                                 : "xgrad: accumulator \"w\".take_grad(5) was cancelled: a stop was requested"));
        CHECK(sums.global_step() == 1);
    }
}
TEST_CASE("waiting ends: time-outs, stops that were requested before, closing") {
    xg::conditional_accumulator<float> sums({.name = "w"});
    CHECK(message_of<xg::timeout_error>([&] { sums.take_grad(1, {.timeout = 0s}); }).ends_with("0 of 1"));
    std::stop_source stop;
    stop.request_stop();
    CHECK(message_of<xg::cancelled_error>([&] { sums.take_grad(1, {.stop = stop.get_token()}); }).ends_with("a stop was requested"));
    sums.apply_grad(3.f);
    CHECK(sums.take_grad(1, {.timeout = 0s, .stop = stop.get_token()})[0] == 3);   // available gradients are taken
    std::string waiting;
    {
        std::jthread const taker([&] { waiting = message_of<xg::cancelled_error>([&] { sums.take_grad(1); }); });
        until_waiting(sums, 1);
        sums.close();
    }
    CHECK(waiting == "xgrad: accumulator \"w\".take_grad(1) was cancelled: the accumulator is closed");
    CHECK(message_of<xg::cancelled_error>([&] { sums.take_grad(1); }) == waiting);
    CHECK(sums.num_waiting() == 0);
}

namespace {
/// A take of more gradients than there are waits before one that could be served; then the accumulator is closed.
/// Returns how many get a gradient.
template<class Accumulator, class Give>
int served_by_a_closed(Give const& give) {
    int served = 0;
    for (int round = 0; round < (XGRAD_SANITIZED ? 50 : 200); ++round) {
        Accumulator sums;
        give(sums);
        std::vector<std::jthread> takers;
        for (int needed : {3, 1}) {
            takers.emplace_back([&, needed] {
                try {
                    sums.take_grad(needed);
                    ++served;
                } catch (xg::cancelled_error const&) {}
            });
            while (sums.num_waiting() < (needed == 3 ? 1 : 2)) std::this_thread::yield();
        }
        sums.close();
        CHECK(sums.num_waiting() == 0);
        for (int more = 0; more < 2; ++more)   // enough for the first one, which may not have woken yet
            CHECK(message_of<xg::cancelled_error>([&] { give(sums); }).ends_with(".apply_grad was cancelled: the accumulator is closed"));
        takers.clear();
        CHECK(sums.num_accumulated() == 1);
    }
    return served;
}
}   // namespace
TEST_CASE("no take gets a gradient from a closed accumulator") {
    CHECK(served_by_a_closed<xg::conditional_accumulator<float>>([](auto& sums) { sums.apply_grad(1.f); }) == 0);
    CHECK(served_by_a_closed<xg::sparse_conditional_accumulator<float>>(
              [](auto& sums) { sums.apply_grad(std::vector<int>{1}, std::vector<float>{1}); }) == 0);
}

namespace {
/// Workers that add ones, takers that come and go; every accepted gradient is in exactly one sum, or left at the end.
void random_schedule(unsigned seed) {
    std::mt19937 random(seed);
    auto const below = [&](unsigned n) { return static_cast<int>(random() % n); };
    int const workers = 1 + below(4), takers = 1 + below(3), sums_of_their_own = below(2) == 0 ? 1 : workers;
    constexpr std::int64_t length = 37;
    xg::conditional_accumulator<double> sums({.shape = {length}, .reduction = xg::reduction::sum, .workers = sums_of_their_own});
    xg::sparse_conditional_accumulator<double> rows({.reduction = xg::reduction::sum, .workers = sums_of_their_own});
    std::atomic<std::int64_t> accepted{0}, taken{0}, accepted_rows{0}, taken_rows{0}, torn{0}, refused{0};
    std::atomic<int> working{workers};
    {
        std::vector<std::jthread> all;
        for (int w = 0; w < workers; ++w)
            all.emplace_back([&, w, own = random()] {
                std::mt19937 mine(static_cast<unsigned>(own));
                std::vector<double> const ones(length, 1.0), wrong(length + 1, 1.0);
                std::vector<std::int64_t> const indices{0, 5 + w, 20};
                for (int k = 0; k < 60; ++k) {
                    int const lane = sums_of_their_own == 1 ? 0 : w;
                    std::int64_t const step = sums.global_step() - static_cast<int>(mine() % 2);
                    accepted += sums.apply_grad(ones, step, lane);
                    accepted_rows +=
                        rows.apply_grad(indices, std::vector<double>(3, 1.0), rows.global_step() - static_cast<int>(mine() % 2), {}, lane);
                    if (mine() % 8 != 0) continue;
                    try {
                        sums.apply_grad(wrong, 1000, lane);
                    } catch (xg::shape_error const&) { ++refused; }
                }
                --working;
            });
        for (int t = 0; t < takers; ++t)
            all.emplace_back([&, own = random()] {
                std::mt19937 mine(static_cast<unsigned>(own));
                xg::dense_gradient<double> out;
                xg::sparse_gradient<double> slices;
                while (working > 0) {
                    xg::wait_options const patience{.timeout = std::chrono::microseconds(mine() % 300)};
                    try {
                        sums.take_grad(1 + static_cast<int>(mine() % 4), out, patience);
                        for (std::int64_t i = 1; i < out.size(); ++i) torn += out[i] != out[0];
                        taken += static_cast<std::int64_t>(out[0]);
                    } catch (xg::timeout_error const&) {}
                    try {
                        rows.take_grad(1 + static_cast<int>(mine() % 4), slices, patience);
                        for (std::size_t k = 0; k < slices.indices().size(); ++k)
                            if (slices.indices()[k] == 0) taken_rows += static_cast<std::int64_t>(slices.values()[k]);
                    } catch (xg::timeout_error const&) {}
                }
            });
    }
    CAPTURE(seed);
    CHECK(torn == 0);
    CHECK(refused > 0);
    CHECK(sums.num_waiting() == 0);
    std::int64_t left = sums.num_accumulated(), left_rows = rows.num_accumulated();
    if (left > 0) taken += static_cast<std::int64_t>(sums.take_grad(left, {.timeout = 0s})[0]);
    if (left_rows > 0) taken_rows += static_cast<std::int64_t>(rows.take_grad(left_rows, {.timeout = 0s}).values()[0]);
    CHECK(taken == accepted);
    CHECK(taken_rows == accepted_rows);
}
}   // namespace
TEST_CASE("random schedules lose nothing, and end") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 20u : 200u); ++seed) random_schedule(seed);
}
