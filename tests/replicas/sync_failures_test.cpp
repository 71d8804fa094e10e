// SPDX-License-Identifier: MIT
// Random schedules with failures: workers of fused and faithful replicas that throw, end, join, ask for a stop or are stuck. All runs end.
#include "one_number.hpp"

#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
using test::g, test::v, test::one_number;

/// Ends the program where a run does not end, and says which.
class watchdog {
    std::atomic<unsigned> seed_{0};
    std::jthread thread_;

public:
    explicit watchdog(char const* what)
        : thread_([this, what](std::stop_token const& stop) {
              unsigned last = 0;
              for (int quiet = 0; !stop.stop_requested(); ++quiet) {
                  std::this_thread::sleep_for(50ms);
                  if (unsigned const now = seed_; now != last) {
                      last = now;
                      quiet = 0;
                  } else if (quiet == 20 * 120) {
                      std::fprintf(stderr, "%s: schedule %u has not ended in two minutes\n", what, now);
                      std::abort();
                  }
              }
          }) {}
    void at(unsigned seed) { seed_ = seed; }
};

/// State that outlives a run with a worker that has not returned.
struct shared_state {
    std::atomic<bool> wake{false};
    std::atomic<int> stuck{0}, back{0}, threw{0}, stopped{0}, given{0}, joined{0};
    std::stop_source stop = xg::detail::new_stop_source();
};
struct is_back {
    shared_state& s;
    ~is_back() { ++s.back; }
};
struct tally {
    int normal = 0, failed = 0, stopped = 0, lost = 0, joined = 0;
    std::int64_t updates = 0;
};

template<class How>
How policy(bool close) {
    if constexpr (std::is_same_v<How, xg::faithful>) return {.close_at_end = close};
    else return {};
}
template<class How>
void run_schedule(unsigned seed, bool with_deadline, tally& all) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto const draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    int const workers = 1 + draw(4), needed = 1 + draw(4), kind = draw(4);
    auto const state = std::make_shared<shared_state>();
    auto train = one_number();
    auto const tries = train.global_step();
    xg::sync_options options{.workers = workers,
        .replicas_to_aggregate = needed,
        .initial_tokens = draw(2) == 0 ? -1 : std::max(0, needed - workers),
        .stop = state->stop.get_token(),
        .min_workers = 1 + draw(workers),
        .share_variables = draw(2) == 0};
    if (with_deadline) options.deadline = 8ms;
    xg::sync_replicas replicas(train, policy<How>(draw(8) == 0), options);
    bool failed = false;
    auto work = [state, seed, kind, with_deadline, &replicas](auto& worker) {
        std::mt19937 mine(seed * 16 + static_cast<unsigned>(worker.index()));
        unsigned const steps = mine() % 10, ends = mine() % 4;
        bool const special = mine() % 3 == 0;   // throws, stops or is stuck, depending on this schedule
        for (unsigned k = 0; k < steps; ++k) {
            if (mine() % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(mine() % 30));
            if (special && k == ends) {
                if (kind == 0) {
                    ++state->threw;
                    throw std::runtime_error("as planned");
                }
                if (kind == 1) {
                    ++state->stopped;
                    state->stop.request_stop();
                }
                if (kind == 2 && with_deadline) {
                    ++state->stuck;
                    while (!state->wake) std::this_thread::sleep_for(200us);
                    is_back const end{*state};
                    worker(g = 1000.f);   // throws: it was left behind
                    return;
                }
                if (kind == 3 && worker.index() == 0) try {
                        replicas.add_worker();
                        ++state->joined;
                    } catch (xg::value_error const&) {}   // no other worker is left, or it is one too many
            }
            worker(g = 1.f);
            ++state->given;
        }
    };
    try {
        replicas.run(std::move(work));
    } catch (xg::worker_error const& e) {
        failed = true;
        std::string const what = e.what();
        CHECK_MESSAGE((what.ends_with("as planned") || (with_deadline && what.find("it has given no sign for 8 ms") != what.npos)), what);
    }
    auto const report = replicas.progress();
    state->wake = true;
    while (state->back < state->stuck) std::this_thread::sleep_for(100us);
    std::int64_t accepted = 0, given = 0, lost = 0;
    for (auto const& w : report.workers) {
        CHECK(w.accepted + w.dropped == w.steps);
        accepted += w.accepted;
        given += w.steps;
        lost += w.lost;
    }
    CHECK((state->threw == 0 || failed));
    CHECK((failed || state->stopped > 0 || report.left < needed));
    CHECK(given >= state->given);
    CHECK(accepted >= report.updates * needed + report.left);
    CHECK(train.global_step() == tries + report.updates);
    CHECK(train.value(v)() == -static_cast<float>(report.updates));   // nothing twice, nothing by halves, nothing of who was left behind
    if (state->stuck == 0 && lost == 0 && state->threw == 0) CHECK_FALSE(failed);
    all.normal += !failed && state->stopped == 0;
    all.failed += failed;
    all.stopped += state->stopped > 0;
    all.lost += lost > 0;
    all.joined += state->joined;
    all.updates += report.updates;
}
}   // namespace

TEST_CASE_TEMPLATE("ten thousand random schedules with failures end", How, xg::fused, xg::faithful) {
    watchdog dog("failures");
    unsigned const runs = XGRAD_SANITIZED ? 300 : 4900, late = XGRAD_SANITIZED ? 10 : 100;
    tally all;
    for (unsigned seed = 0; seed < runs + late; ++seed) {
        dog.at(seed + 1);
        run_schedule<How>(seed, seed >= runs, all);
    }
    CHECK(all.normal > static_cast<int>(runs / 4));
    CHECK(all.failed > static_cast<int>(runs / 20));
    CHECK(all.stopped > static_cast<int>(runs / 20));
    CHECK(all.joined > static_cast<int>(runs / 50));
    CHECK(all.lost > static_cast<int>(late / 20));
    CHECK(all.updates > runs);
}
