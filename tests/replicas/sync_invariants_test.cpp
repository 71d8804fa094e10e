// SPDX-License-Identifier: MIT
// The invariants I1 to I9 of synchronous replicas, fused and faithful, under random schedules. Event by event compared with the state
// machine that TensorFlow specifies, variable by variable, and in threads.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using phase = xg::sync_protocol::phase;

namespace {
constexpr auto g0 = xg::input<"g0", double>;
constexpr auto g1 = xg::input<"g1", double>;
constexpr auto gs = xg::input<"gs", double, 2, 1>;
constexpr auto rows = xg::input<"rows", std::int64_t, 2>;
constexpr auto v0 = xg::variable<"v0", double>;
constexpr auto v1 = xg::variable<"v1", double>;
constexpr auto vs = xg::variable<"vs", double, 4, 1>;
constexpr auto loss = v0 * g0 + v1 * g1 + xg::sum(xg::gather(vs, rows) * gs);   // gradients: what is fed
constexpr int variables = 3;

auto make() {
    return xg::minimize<xg::gating::graph>(
        loss, xg::param_group(xg::adam{}, v1), xg::param_group(xg::gradient_descent{.learning_rate = 1.0}));
}

/// Section 5.2 of the specification: numbers are integers divided once, so that they are exact but for this division.
struct machine {
    struct gradient {
        double dense;
        std::int64_t rows[2];
        double values[2];
    };
    struct worker {
        std::int64_t local_step = 0;
        phase now = phase::computing;
        bool computed = false;
        gradient mine{};
        bool pushed[variables]{};
        double seen = 0;   // v0 as it was when it began
    };
    struct sum {
        std::int64_t step = 0, count = 0, taken = 0;   // taken: gradients of the mean that waits for the others
        double dense = 0;
        std::map<std::int64_t, std::pair<double, int>> rows;
    };
    int needed = 1;
    std::int64_t global_step = 0;
    std::vector<worker> workers;
    std::deque<std::int64_t> tokens;
    sum sums[variables];   // of v0, v1, vs
    double mean = 0;
    std::map<std::int64_t, double> mean_rows;
    double value0 = 0, values[4]{};
    std::int64_t tokens_made = 0, steps_begun = 0;

    bool push(int k, int u) {
        worker& w = workers[static_cast<std::size_t>(k)];
        sum& s = sums[u];
        w.pushed[u] = true;
        if (std::all_of(w.pushed, w.pushed + variables, [](bool p) { return p; })) w.now = phase::waiting;
        if (w.local_step < s.step) return false;
        ++s.count;
        s.dense += w.mine.dense;
        std::map<std::int64_t, double> own;
        for (int i = 0; i < 2; ++i) own[w.mine.rows[i]] += w.mine.values[i];
        for (auto [row, value] : own) {
            s.rows[row].first += value;
            ++s.rows[row].second;
        }
        return true;
    }
    bool can_take(int u) const { return sums[u].taken == 0 && sums[u].count >= needed; }
    void take(int u) {
        sum& s = sums[u];
        if (u == 0) mean = s.dense / static_cast<double>(s.count);
        if (u == 2) {
            mean_rows.clear();
            for (auto const& [row, all] : s.rows) mean_rows[row] = all.first / all.second;
        }
        s.taken = s.count;
        s.count = 0;
        s.dense = 0;
        s.rows.clear();
        ++s.step;
    }
    bool can_update() const {
        return std::all_of(sums, sums + variables, [&](sum const& s) { return s.taken > 0 || s.count >= needed; });
    }
    int active() const {
        return static_cast<int>(std::count_if(workers.begin(), workers.end(), [](worker const& w) { return w.now != phase::gone; }));
    }
    void make_tokens(std::int64_t n) {
        for (tokens_made += n; n > 0; --n) tokens.push_back(global_step);
    }
    void update() {
        for (int u = 0; u < variables; ++u)
            if (sums[u].taken == 0) take(u);
        for (sum& s : sums) s.taken = 0;
        value0 -= mean;
        for (auto [row, m] : mean_rows) values[row] -= m;
        ++global_step;
        make_tokens(std::max(active(), needed));
    }
    bool begin(int k) {
        if (tokens.empty()) return false;
        worker& w = workers[static_cast<std::size_t>(k)];
        w = {.local_step = tokens.front(), .seen = value0};
        tokens.pop_front();
        ++steps_begun;
        return true;
    }
    void end(int k) {
        worker& w = workers[static_cast<std::size_t>(k)];
        if (w.now == phase::computing && w.local_step == global_step) make_tokens(1);
        w.now = phase::gone;
    }
};

template<class How>
void run_schedule(unsigned seed, std::int64_t& updates, std::int64_t& stale) {
    CAPTURE(seed);
    constexpr bool by_variable = std::is_same_v<How, xg::faithful>;
    std::mt19937 random(seed);
    auto const draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    int const workers = 1 + draw(4), needed = 1 + draw(5);
    bool const ends = draw(2) == 0;
    std::int64_t const initial = draw(2) == 0 ? needed : std::max(0, needed - workers) + draw(3);
    auto train = make();
    xg::sync_replicas replicas(train, How{}, {.workers = workers, .replicas_to_aggregate = needed, .initial_tokens = initial});
    typename decltype(replicas)::replay replay(replicas);
    machine m;
    m.needed = needed;
    m.workers.resize(static_cast<std::size_t>(workers));
    m.make_tokens(initial);
    std::vector<std::int64_t> local(static_cast<std::size_t>(workers), 0);

    for (int event = 0; event < 80; ++event) {
        int const k = draw(workers), what = draw(24);
        machine::worker& w = m.workers[static_cast<std::size_t>(k)];
        std::int64_t const before = m.global_step;
        if (ends && what == 0 && m.active() > 1 && w.now != phase::gone) {
            m.end(k);
            replay.end(k);
        } else if (what < 8 && m.can_update()) {
            if constexpr (by_variable)
                for (int u = 0; u < variables; ++u)
                    if (m.can_take(u) && draw(2) == 0) {
                        m.take(u);
                        REQUIRE(replay.take(u));
                    }
            m.update();
            replay.update();
            CHECK_MESSAGE(train.global_step() == before + 1, "I5: an update is one step");
            CHECK_MESSAGE(
                train.optimizer().powers.at[0] == doctest::Approx(std::pow(.9, m.global_step + 1)), "I5: Adam's powers move once");
            ++updates;
        } else if (by_variable && what < 11) {   // the chief takes one variable while it waits for others
            if constexpr (by_variable)
                if (int const u = draw(variables); m.sums[u].taken == 0) {
                    bool const can = m.can_take(u);
                    if (can) m.take(u);
                    REQUIRE(replay.take(u) == can);
                    if (can) CHECK_MESSAGE(m.sums[u].taken >= needed, "I7: too few gradients in a mean");
                }
        } else if (w.now == phase::computing && !w.computed) {
            w.mine.dense = draw(19) - 9;
            for (auto& r : w.mine.rows) r = draw(4);
            for (auto& v : w.mine.values) v = draw(19) - 9;
            auto const compute = [&](double g) {
                return replay.compute(k, g0 = g, g1 = 0.0, gs = xg::array(w.mine.values, 2, 1), rows = xg::array(w.mine.rows, 2));
            };
            double const difference = compute(1) - compute(0);
            CHECK_MESSAGE(
                std::abs(difference - w.seen) < 1e-9, "I9: a worker computes with other variables than those behind its token's update");
            compute(w.mine.dense);
            w.computed = true;
        } else if (w.now == phase::computing) {
            auto const push_one = [&](int u) {
                std::int64_t const count = m.sums[u].count;
                bool const fresh = w.local_step >= m.sums[u].step;
                bool const counts = m.push(k, u);
                CHECK_MESSAGE((counts == fresh && m.sums[u].count == count + fresh), "I6: a stale gradient counts");
                stale += !counts;
                return counts;
            };
            if constexpr (by_variable) {
                int u = draw(variables);
                while (w.pushed[u]) u = (u + 1) % variables;
                bool const counts = push_one(u);
                REQUIRE(replay.push(k, u) == counts);
            } else {
                bool counts = false;
                for (int u = 0; u < variables; ++u) counts |= push_one(u);
                REQUIRE(replay.push(k) == counts);
            }
        } else if (w.now == phase::waiting) {
            bool const had = !m.tokens.empty();
            REQUIRE(m.begin(k) == had);
            REQUIRE(replay.begin(k) == had);
            if (had) CHECK_MESSAGE(w.local_step <= train.global_step(), "I9: a token of an update that is not there");
        }
        auto const& state = replay.state();
        if constexpr (by_variable) {
            bool const idle = std::all_of(m.sums, m.sums + variables, [](auto const& s) { return s.taken == 0; });
            for (int u = 0; u < variables; ++u) {
                if (idle)
                    CHECK_MESSAGE(
                        replay.accumulator_step(u) == m.global_step, "I1: an accumulator of another step while the chief is idle");
                REQUIRE(replay.num_accumulated(u) == m.sums[u].count);
                REQUIRE(replay.accumulator_step(u) == m.sums[u].step);
            }
        } else REQUIRE(state.fresh() == m.sums[0].count);
        auto const& there = state.tokens();
        std::vector<std::int64_t> const queue(there.begin(), there.end());
        CHECK_MESSAGE(static_cast<std::int64_t>(queue.size()) == m.tokens_made - m.steps_begun, "I3: tokens that nobody made or took");
        CHECK_MESSAGE(std::is_sorted(queue.begin(), queue.end()), "I4: tokens out of order");
        REQUIRE(std::equal(queue.begin(), queue.end(), m.tokens.begin(), m.tokens.end()));
        for (int i = 0; i < workers; ++i) {
            auto const at = static_cast<std::size_t>(i);
            CHECK_MESSAGE((state.local_step(i) <= train.global_step() && state.local_step(i) >= local[at]),
                "I2: a local step that goes back, or ahead");
            local[at] = state.local_step(i);
            REQUIRE(local[at] == m.workers[at].local_step);
            REQUIRE(state.phase_of(i) == m.workers[at].now);
        }
        REQUIRE(train.global_step() == m.global_step);
        REQUIRE(train.value(v0)() == m.value0);
        for (int r = 0; r < 4; ++r) REQUIRE(train.value(vs)(r, 0) == m.values[r]);
    }
}
}   // namespace

TEST_CASE_TEMPLATE("I1 to I7, I9 hold in random schedules, and all numbers are those of the specification", How, xg::fused, xg::faithful) {
    std::int64_t updates = 0, stale = 0;
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 200u : 3000u); ++seed) run_schedule<How>(seed, updates, stale);
    CHECK(updates > (XGRAD_SANITIZED ? 300 : 5000));
    CHECK(stale > (XGRAD_SANITIZED ? 300 : 5000));
}

TEST_CASE_TEMPLATE("I8: workers that go in turn leave what one step with the mean of all leaves", How, xg::fused, xg::faithful) {
    for (int workers : {1, 2, 4}) {
        auto train = make(), alone = make();
        xg::sync_replicas replicas(train, How{}, {.workers = workers, .initial_tokens = 0});
        typename decltype(replicas)::replay replay(replicas);
        std::int64_t const which[2] = {1, 3};
        for (int round = 0; round < 6; ++round) {
            double sum[4]{};
            for (int k = 0; k < workers; ++k) {
                double const own[4] = {1.0 * k - round, 2.0 + k * round, 3.0 - k, 4.0 * round};
                for (int i = 0; i < 4; ++i) sum[i] += own[i];
                replay.compute(k, g0 = own[0], g1 = own[1], gs = xg::array(own + 2, 2, 1), rows = xg::array(which, 2));
                CHECK(replay.push(k));
            }
            replay.update();
            for (int k = 0; k < workers; ++k) CHECK(replay.begin(k));
            for (double& s : sum) s /= workers;
            alone(g0 = sum[0], g1 = sum[1], gs = xg::array(sum + 2, 2, 1), rows = xg::array(which, 2));
            CHECK(train.value(v0)() == alone.value(v0)());
            CHECK(train.value(v1)() == alone.value(v1)());
            for (int r = 0; r < 4; ++r) CHECK(train.value(vs)(r, 0) == alone.value(vs)(r, 0));
        }
    }
}

TEST_CASE_TEMPLATE("I3, I5, I7, I9 hold in threads, whatever the timing", How, xg::fused, xg::faithful) {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        int const workers = 1 + static_cast<int>(random() % 4), needed = 1 + static_cast<int>(random() % 4);
        std::int64_t const initial = random() % 2 == 0 ? needed : std::max(0, needed - workers);
        std::vector<std::int64_t> steps;   // of on_update
        auto train = make();
        xg::sync_replicas replicas(train, How{},
            {.workers = workers, .replicas_to_aggregate = needed, .initial_tokens = initial, .on_update = [&](std::int64_t s) {
                 steps.push_back(s);
             }});
        std::atomic<std::int64_t> completed{0};
        std::atomic<int> ahead{0}, apart{0}, gone{0};
        auto const report = replicas.run([&](auto& worker) {
            std::mt19937 mine(seed * 8 + static_cast<unsigned>(worker.index()));
            double const own[2] = {1, 1};
            std::int64_t const which[2] = {0, 2};
            for (unsigned k = mine() % 30; k > 0; --k) {
                if (mine() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(mine() % 60));
                worker(g0 = 1.0, g1 = 1.0, gs = xg::array(own, 2, 1), rows = xg::array(which, 2));
                // A step that has ended has taken a token, of the first ones, of an update, or given back by a worker that has ended.
                std::int64_t const ended = ++completed;
                replicas.with_variables([&](auto const& t) {
                    if (ended > initial + gone + std::max(workers, needed) * t.global_step()) ++ahead;
                    auto const g = static_cast<double>(t.global_step());
                    if (t.value(v0)() != -g || t.value(vs)(0, 0) != -g || t.value(vs)(2, 0) != -g) ++apart;
                });
            }
            ++gone;
        });
        CHECK_MESSAGE(ahead == 0, "I3, I9: more steps than tokens");
        CHECK_MESSAGE(apart == 0, "a part of an update is seen");
        CHECK(steps.size() == static_cast<std::size_t>(report.updates));
        for (std::size_t i = 0; i < steps.size(); ++i)
            CHECK_MESSAGE(steps[i] == static_cast<std::int64_t>(i) + 1, "I5: an update is one step");
        CHECK(train.value(v0)() == -static_cast<double>(report.updates));   // I5, I6: the mean of gradients of 1, once
        CHECK(train.optimizer().powers.at[0] == doctest::Approx(std::pow(.9, report.updates + 1)));
        std::int64_t accepted = 0, given = 0;
        for (auto const& w : report.workers) {
            accepted += w.accepted;
            given += w.steps;
            CHECK(w.accepted + w.dropped == w.steps);
        }
        CHECK(given == completed);
        CHECK_MESSAGE(accepted >= report.updates * needed + report.left, "I7: too few gradients in a mean");
        CHECK(report.left < needed);
    }
}
