// SPDX-License-Identifier: MIT
// Ranks in threads, with and without faults: what every transport does, and what only these two do.
#include <support/message_of.hpp>

#include <xgrad/transport/faulty.hpp>
#include <xgrad/transport/thread_transport.hpp>

#include <doctest/doctest.h>

#include <transport/conformance.hpp>

#include <algorithm>

namespace xg = xgrad;
using namespace std::chrono_literals;

static_assert(xg::Transport<xg::thread_transport>);
static_assert(xg::Transport<xg::faulty<xg::thread_transport>>);

TEST_CASE("threads of one process are a transport") {
    for (int ranks = 1; ranks <= 4; ++ranks) {
        xg::thread_network network(ranks);
        test::on_ranks(ranks, [&](int k) {
            auto t = network.rank(k);
            test::conform(t);
        });
    }
    CHECK(test::message_of<xg::value_error>([] { xg::thread_network none(0); }) == "xgrad: thread_network(0): there is at least one rank");
}
TEST_CASE("messages that come late come in order all the same") {
    for (unsigned seed = 0; seed < 5; ++seed) {
        xg::thread_network network(3);
        test::on_ranks(3, [&](int k) {
            xg::faulty t(network.rank(k), {.seed = seed});
            test::first_in_first_out(t);
            test::two_threads(t);
            test::sizes(t);
            test::waits_end(t);
        });
    }
}
TEST_CASE("faults: senders and tags overtake each other, messages come twice, a rank falls silent") {
    xg::thread_network network(2);
    auto sender = network.rank(0);
    xg::message_buffer buffer;
    {
        xg::faulty t(network.rank(1), {.seed = 3, .longest_delay = 20, .duplicates = .5});
        for (int k = 0; k < 100; ++k) test::send_number(sender, 1, k % 4, k);
        std::vector<std::int64_t> came;
        std::vector<int> last(4, -1);
        std::size_t different = 0;
        // On a busy machine a call can end before anything has come, so several must be empty before all is over.
        for (int empty = 0; empty < (different < 100 ? 1000 : 5);) {
            auto const r = t.try_receive(xg::any_rank, xg::any_tag, buffer, {.timeout = 20ms});
            if (!r) {
                ++empty;
                continue;
            }
            empty = 0;
            std::int64_t x;
            std::memcpy(&x, buffer.data(), sizeof x);
            bool const again = std::find(came.begin(), came.end(), x) != came.end();
            auto& before = last[static_cast<std::size_t>(r->tag)];
            CHECK(r->tag == x % 4);
            CHECK((again || x > before));
            if (!again) before = static_cast<int>(x);
            different += !again;
            came.push_back(x);
        }
        auto sorted = came;
        std::sort(sorted.begin(), sorted.end());
        CHECK(came != sorted);
        CHECK(came.size() > 120);
        CHECK(came.size() < 180);
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        CHECK(sorted.size() == 100);
    }
    xg::faulty t(network.rank(1), {.silent_after = 1});
    test::send_number(t, 0, 0, 1);
    test::send_number(t, 0, 0, 2);
    test::send_number(sender, 1, 0, 3);
    CHECK(sender.try_receive(1, 0, buffer, {.timeout = 0ns}).has_value());
    CHECK(!sender.try_receive(1, 0, buffer, {.timeout = 0ns}).has_value());
    CHECK(!t.try_receive(0, 0, buffer, {.timeout = 0ns}).has_value());
}
TEST_CASE("what does not come in a collective operation is named") {
    xg::thread_network network(3);
    auto t = network.rank(1);
    xg::collectives all(t);
    CHECK(test::message_of<xg::timeout_error>([&] { all.barrier({.timeout = 1ms}); }) ==
          "xgrad: rank 1: barrier: nothing has come from rank 0 (tag 16384) in time");
    std::byte bytes[4];
    CHECK(test::message_of<xg::timeout_error>([&] { all.broadcast(2, bytes, {.timeout = 1ms}); }) ==
          "xgrad: rank 1: broadcast: nothing has come from rank 2 (tag 16385) in time");
    double x = 1;
    std::stop_source stop;
    stop.request_stop();
    CHECK(test::message_of<xg::cancelled_error>([&] { all.reduce(1, std::span(&x, 1), {.stop = stop.get_token()}); }) ==
          "xgrad: rank 1: reduce: nothing has come from rank 0 (tag 16386) before a stop was requested");
    CHECK(test::message_of<xg::value_error>([&] { all.broadcast(3, bytes); }) == "xgrad: rank 1: broadcast: there is no rank 3 among 3");
}
TEST_CASE("what a transport refuses, and a reduction that fails, change nothing") {
    xg::thread_network network(2);
    auto first = network.rank(0), second = network.rank(1);
    CHECK(test::message_of<xg::value_error>([&] { xg::send(first, 1, -7, {}); }) ==
          "xgrad: rank 0: send: the tag -7 is negative; tags begin with 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::faulty late(first, {.longest_delay = -1}); }) ==
          "xgrad: faulty: longest_delay is -1; it is 0 or more");
    xg::collectives zero(first), one(second);
    double mine[] = {1, 2}, other[] = {3};
    zero.reduce(1, std::span<double>(mine));
    CHECK(test::message_of<xg::shape_error>([&] { one.reduce(1, std::span<double>(other)); }) ==
          "xgrad: rank 1: reduce: rank 0 has sent 16 bytes, and 8 are expected");
    CHECK(other[0] == 3);
    one.reduce(0, std::span<double>(other));
    CHECK(test::message_of<xg::shape_error>([&] { zero.reduce(0, std::span<double>(mine)); }) ==
          "xgrad: rank 0: reduce: rank 1 has sent 8 bytes, and 16 are expected");
    CHECK(mine[0] == 1);
}
TEST_CASE("a network with a million letters that nobody receives ends") {
    xg::thread_network network(1);
    auto t = network.rank(0);
    for (int k = 0; k < 1000000; ++k) xg::send(t, 0, 0, {});
    CHECK(network.size() == 1);
}
