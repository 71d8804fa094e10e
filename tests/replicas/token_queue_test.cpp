// SPDX-License-Identifier: MIT
// Tokens come out in their order, waiters are served in theirs, and every wait ends.
#include <xgrad/replicas/sync/token_queue.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;

TEST_CASE("first in, first out, against a list") {
    std::mt19937 random(1);
    xg::token_queue queue;
    std::vector<std::int64_t> list;
    std::size_t taken = 0;
    for (int k = 0; k < 20000; ++k) {
        if (random() % 3 == 0) {
            auto const token = static_cast<std::int64_t>(random() % 5), count = static_cast<std::int64_t>(random() % 4);
            queue.enqueue(token, count);
            list.insert(list.end(), static_cast<std::size_t>(count), token);
        } else if (taken < list.size()) {
            CHECK(queue.dequeue({.timeout = 0s}) == list[taken]);
            ++taken;
        } else CHECK_THROWS_AS(queue.dequeue({.timeout = 0s}), xg::timeout_error);
        CHECK(queue.size() == static_cast<std::int64_t>(list.size() - taken));
        CHECK(queue.first_or(-1) == (taken < list.size() ? list[taken] : -1));
        if (k % 50 > 0) continue;
        auto const there = queue.tokens();
        CHECK(std::equal(there.begin(), there.end(), list.begin() + static_cast<std::ptrdiff_t>(taken), list.end()));
    }
}
TEST_CASE("those who wait are served in the order in which they came") {
    xg::token_queue queue;
    std::vector<std::int64_t> got(6, -1);
    {
        std::vector<std::jthread> workers;
        for (int k = 0; k < 6; ++k) {
            workers.emplace_back([&, k] { got[static_cast<std::size_t>(k)] = queue.dequeue(); });
            while (queue.num_waiting() != k + 1) std::this_thread::sleep_for(100us);
        }
        queue.enqueue(1, 2);
        queue.enqueue(2, 3);
        queue.enqueue(3, 2);
    }
    CHECK(got == std::vector<std::int64_t>{1, 1, 2, 2, 2, 3});
    CHECK(queue.size() == 1);
}
TEST_CASE("close wakes all; what is there may be taken") {
    xg::token_queue queue;
    std::atomic<int> woken{0};
    {
        std::vector<std::jthread> workers;
        for (int k = 0; k < 3; ++k)
            workers.emplace_back([&] {
                try {
                    queue.dequeue();
                } catch (xg::cancelled_error const& e) { woken += std::string(e.what()).ends_with("the token queue is closed"); }
            });
        while (queue.num_waiting() != 3) std::this_thread::sleep_for(100us);
        queue.enqueue(7, 5);   // three are served, two tokens are left
        queue.close();
    }
    CHECK(woken == 0);
    CHECK(queue.closed());
    CHECK(queue.dequeue() == 7);
    CHECK(queue.dequeue() == 7);
    CHECK_THROWS_AS(queue.dequeue(), xg::cancelled_error);
    CHECK_THROWS_AS(queue.enqueue(8), xg::cancelled_error);
    xg::token_queue other;
    {
        std::jthread const worker([&](std::stop_token const&) {
            try {
                other.dequeue();
            } catch (xg::cancelled_error const&) { ++woken; }
        });
        while (other.num_waiting() != 1) std::this_thread::sleep_for(100us);
        other.close();
    }
    CHECK(woken == 1);
}
TEST_CASE("each token is taken once, whoever gives up waiting") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 10u : 100u); ++seed) {
        xg::token_queue queue;
        std::atomic<std::int64_t> sum{0}, count{0};
        constexpr int tokens = 200;
        {
            std::vector<std::jthread> workers;
            for (unsigned k = 0; k < 4; ++k)
                workers.emplace_back([&, k] {
                    std::mt19937 mine(seed * 4 + k);
                    while (count < tokens) {
                        try {
                            sum += queue.dequeue({.timeout = std::chrono::microseconds(mine() % 50)});
                            ++count;
                        } catch (xg::timeout_error const&) {}
                    }
                });
            for (int k = 0; k < tokens; k += 2) queue.enqueue(k, 2);
        }
        CAPTURE(seed);
        CHECK(queue.size() == 0);
        CHECK(sum == 2 * (tokens / 2 - 1) * (tokens / 2));
    }
}
