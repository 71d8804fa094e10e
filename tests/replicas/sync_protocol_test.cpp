// SPDX-License-Identifier: MIT
// SyncReplicas' tokens: the numbered cases, and all states that four workers can reach, whoever is lost and when.
#include <support/message_of.hpp>

#include <xgrad/replicas/sync/sync_protocol.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

namespace xg = xgrad;
using phase = xg::sync_protocol::phase;

namespace {
/// One run of a worker's training operation: push, then a token; false where it waits for one.
bool run(xg::sync_protocol& p, int k) {
    p.push(k);
    if (p.can_update()) p.update();
    return p.begin(k);
}
std::vector<std::int64_t> tokens(xg::sync_protocol const& p) { return {p.tokens().begin(), p.tokens().end()}; }
}   // namespace

TEST_CASE("E1, E2: after the first update the initial tokens waste a step of each worker") {
    xg::sync_protocol p({.total_num_replicas = 2});
    CHECK(run(p, 0));
    CHECK(run(p, 1));
    CHECK(p.global_step() == 1);
    CHECK(p.local_step(0) == 0);
    CHECK(p.local_step(1) == 0);
    CHECK(run(p, 0));
    CHECK(run(p, 1));
    CHECK(p.global_step() == 1);
    CHECK(p.fresh() == 0);
    CHECK(p.local_step(0) == 1);
    CHECK(p.local_step(1) == 1);
}
TEST_CASE("E4: a backup worker") {
    xg::sync_protocol p({.total_num_replicas = 3, .replicas_to_aggregate = 2, .initial_tokens = 3});
    CHECK(run(p, 0));
    CHECK(run(p, 2));
    CHECK(p.global_step() == 1);
    for (int k : {1, 0, 1, 2}) {   // all dropped
        CHECK_FALSE(p.is_fresh(k));
        CHECK(run(p, k));
        CHECK(p.fresh() == 0);
    }
    CHECK(p.global_step() == 1);
    for (int k : {0, 1, 2}) CHECK(p.local_step(k) == 1);
    CHECK_FALSE(run(p, 0));   // it waits for the other one
    CHECK(run(p, 1));
    CHECK(p.begin(0));
    CHECK(p.global_step() == 2);
}
TEST_CASE("E5: more gradients than workers") {
    xg::sync_protocol p({.total_num_replicas = 2, .replicas_to_aggregate = 3, .initial_tokens = 1});
    CHECK(run(p, 0));
    p.push(1);
    CHECK_FALSE(p.can_update());
    CHECK_FALSE(p.begin(1));   // it waits
    p.push(0);
    REQUIRE(p.can_update());
    p.update();
    CHECK(tokens(p) == std::vector<std::int64_t>{1, 1, 1});
    CHECK(p.begin(0));
    CHECK(p.begin(1));
    CHECK(p.local_step(0) == 1);
    CHECK(p.local_step(1) == 1);
    CHECK(run(p, 0));   // and so on: no gradient is wasted
    p.push(1);
    CHECK_FALSE(p.begin(1));
    p.push(0);
    CHECK(p.can_update());
}
TEST_CASE("E6: one worker with one initial token, and with none") {
    for (auto [initial, expected] : {std::pair{-1, std::vector<std::int64_t>{1, 1, 2, 3}}, {0, std::vector<std::int64_t>{1, 2, 3, 4}}}) {
        xg::sync_protocol p({.initial_tokens = initial});
        std::vector<std::int64_t> updates;
        for (int k = 0; k < 4; ++k) {
            CHECK(run(p, 0));
            updates.push_back(p.global_step());
        }
        CHECK(updates == expected);
    }
}
TEST_CASE("E8: tokens for each update; too few initial ones are refused") {
    xg::sync_protocol p({.total_num_replicas = 3, .replicas_to_aggregate = 2, .initial_tokens = 0});
    CHECK(p.tokens_per_update() == 3);
    CHECK(tokens(p).empty());
    CHECK(
        test::message_of<xg::value_error>(
            [] { xg::sync_protocol({.total_num_replicas = 1, .replicas_to_aggregate = 3, .initial_tokens = 1}); }) ==
        "xgrad: sync replicas: too few tokens to finish the first step: 1 (given) vs 2 (needed, replicas_to_aggregate - total_num_replicas)");
    CHECK(test::message_of<xg::value_error>([] { xg::sync_protocol({.total_num_replicas = 0}); }) ==
          "xgrad: sync replicas: total_num_replicas must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([] { xg::sync_protocol({.replicas_to_aggregate = -1}); }) ==
          "xgrad: sync replicas: replicas_to_aggregate must be positive, but is -1");
}
TEST_CASE("E10: all fresh gradients that are there make the update") {
    xg::sync_protocol p({.total_num_replicas = 3, .replicas_to_aggregate = 2});
    for (int k : {0, 1, 2}) CHECK(p.push(k));
    CHECK(p.fresh() == 3);
    p.update();
    CHECK(p.fresh() == 0);
    CHECK(p.global_step() == 1);
}
TEST_CASE("what is not possible is refused and changes nothing") {
    xg::sync_protocol p({.total_num_replicas = 2});
    auto const before = p;
    CHECK(test::message_of<xg::value_error>([&] { p.begin(0); }) == "xgrad: sync replicas: worker 0 cannot take a token now");
    for (int k : {2, -1}) {
        std::string const none = "xgrad: sync replicas: there is no worker " + std::to_string(k) + " among 2";
        CHECK(test::message_of<xg::value_error>([&] { p.push(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { p.begin(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { p.end(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { p.local_step(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { p.phase_of(k); }) == none);
        CHECK(test::message_of<xg::value_error>([&] { p.is_fresh(k); }) == none);
    }
    CHECK(test::message_of<xg::value_error>([&] { p.update(); }) == "xgrad: sync replicas: an update of 0 gradients; it takes 2");
    CHECK(p == before);
    p.end(1);
    CHECK(test::message_of<xg::value_error>([&] { p.end(1); }) == "xgrad: sync replicas: worker 1 cannot end now");
    CHECK(test::message_of<xg::value_error>([&] { p.push(1); }) == "xgrad: sync replicas: worker 1 cannot compute or push a gradient now");
    CHECK(p.active() == 1);
}

namespace {
/// What a state can lead to: how stale a step or a token is makes no difference.
std::string key(xg::sync_protocol const& p) {
    std::string text = std::to_string(p.fresh()) + ' ';
    for (int k = 0; k < p.worker_count(); ++k)
        text += p.phase_of(k) == phase::gone ? 'g' : p.phase_of(k) == phase::waiting ? 'w' : p.is_fresh(k) ? 'f' : 's';
    for (std::int64_t t : p.tokens()) text += t == p.global_step() ? '1' : '0';
    return text;
}
struct exploration {
    int states = 0, violations = 0;
    std::string first;

    void require(bool held, xg::sync_protocol const& p, char const* what) {
        if (held) return;
        if (violations++ == 0) first = std::string(what) + " in " + key(p);
    }
    void look(xg::sync_protocol const& p) {
        ++states;
        bool can_go_on = p.can_update();
        std::int64_t supply = p.fresh();
        for (int k = 0; k < p.worker_count(); ++k) {
            can_go_on |= p.phase_of(k) == phase::computing || (p.phase_of(k) == phase::waiting && p.tokens().count > 0);
            supply += p.phase_of(k) == phase::computing && p.is_fresh(k);
            require(p.phase_of(k) == phase::gone || p.local_step(k) <= p.global_step(), p, "I2: a local step ahead of the global one");
        }
        for (std::int64_t t : p.tokens()) supply += t == p.global_step();
        for (int k = 1; k < p.tokens().count; ++k) require(p.tokens().at[k - 1] <= p.tokens().at[k], p, "I4: tokens out of order");
        require(p.active() == 0 || can_go_on, p, "a deadlock");
        require(p.active() == 0 || supply >= p.needed(), p, "too few gradients can come");
    }
};
/// All states that are reached from the first one by any order of events.
/// A worker may be lost, or end, at any of them, and this number of workers may join.
exploration explore(xg::sync_counts const& counts, int joining) {
    exploration all;
    std::set<std::string> seen;
    std::vector<xg::sync_protocol> open;
    auto const reach = [&](xg::sync_protocol const& p) {
        if (seen.insert(key(p)).second) open.push_back(p);
    };
    reach(xg::sync_protocol(counts));
    while (!open.empty()) {
        xg::sync_protocol const p = open.back();
        open.pop_back();
        all.look(p);
        auto const after = [&](auto const& event) {
            xg::sync_protocol next = p;
            event(next);
            reach(next);
            return next;
        };
        if (p.can_update()) {
            auto const next = after([](auto& n) { n.update(); });
            all.require(next.global_step() == p.global_step() + 1 && next.fresh() == 0, p, "I5: an update that is not one step");
        }
        for (int k = 0; k < p.worker_count(); ++k) {
            // The work that remains until the next update shrinks with each event: no run continues for ever without one.
            auto const rest = [](xg::sync_protocol const& s) {
                int n = 2 * s.tokens().count;
                for (int w = 0; w < s.worker_count(); ++w) n += s.phase_of(w) == phase::computing;
                return n;
            };
            if (p.phase_of(k) == phase::computing) {
                auto const next = after([&](auto& n) { n.push(k); });
                all.require(next.fresh() == p.fresh() + (p.local_step(k) == p.global_step()), p, "I6: a stale gradient counts");
                all.require(rest(next) < rest(p), p, "an endless run");
            }
            if (p.phase_of(k) == phase::waiting && p.tokens().count > 0) {
                auto const next = after([&](auto& n) { n.begin(k); });
                all.require(next.local_step(k) >= p.local_step(k), p, "I2: a local step that goes back");
                all.require(rest(next) < rest(p), p, "an endless run");
            }
            if (p.phase_of(k) != phase::gone) after([&](auto& n) { n.end(k); });
        }
        if (p.worker_count() < counts.total_num_replicas + joining) {
            auto const next = after([](auto& n) { n.join(); });
            all.require(next.phase_of(p.worker_count()) == phase::waiting && next.active() == p.active() + 1 && next.fresh() == p.fresh() &&
                            next.tokens().count == p.tokens().count,
                p, "a worker that joins and does not only wait");
        }
    }
    return all;
}
}   // namespace
TEST_CASE("model check: no state of up to four workers, with losses at any point, is stuck or breaks an invariant") {
    int states = 0;
    for (int n = 1; n <= 4; ++n)
        for (int r = 1; r <= 4; ++r)
            for (std::int64_t initial : {-1, 0, 1, 2, 5}) {
                if (initial >= 0 && initial < r - n) continue;
                exploration const e = explore({.total_num_replicas = n, .replicas_to_aggregate = r, .initial_tokens = initial}, 0);
                CAPTURE(n);
                CAPTURE(r);
                CAPTURE(initial);
                CHECK_MESSAGE(e.violations == 0, e.first);
                states += e.states;
            }
    CHECK(states > 10000);
}
TEST_CASE("model check: nor is one of up to three workers and one that joins at any point, also when all others are gone") {
    int states = 0;
    for (int n = 1; n <= 3; ++n)
        for (int r = 1; r <= 4; ++r)
            for (std::int64_t initial : {-1, 0, 1, 2, 5}) {
                if (initial >= 0 && initial < r - n) continue;
                exploration const e = explore({.total_num_replicas = n, .replicas_to_aggregate = r, .initial_tokens = initial}, 1);
                CAPTURE(n);
                CAPTURE(r);
                CAPTURE(initial);
                CHECK_MESSAGE(e.violations == 0, e.first);
                states += e.states;
            }
    CHECK(states > 20000);
}
