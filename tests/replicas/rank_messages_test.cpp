// SPDX-License-Identifier: MIT
// Replicas over ranks send gradients in several messages while they compute. With a token they send only the rows of tables that have
// moved. The bits stay the same.
#include <support/same_bits.hpp>
#include <support/trainer_state.hpp>

#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/transport/faulty.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/table_model.hpp>
#include <transport/conformance.hpp>

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace test;

namespace {
using train_type = decltype(start(xg::adam{}));
using program = train_type::program_type;

int draw(std::uint64_t seed, std::uint64_t what, int below) {
    xg::random_key key;
    key.seed = seed;
    return static_cast<int>(xg::random_bits(key, what) % static_cast<unsigned>(below));
}
bool same_bits(train_type const& a, train_type const& b) {
    auto const x = test::state(a), y = test::state(b);
    return test::same_bits(x, y);
}

/// Late and twice, by seed; counts what is given.
class wire {
    xg::faulty<xg::thread_transport> inner_;
    std::atomic<int>* given_;
    std::chrono::milliseconds first_takes_;

public:
    wire(xg::thread_transport inner, xg::fault_options const& faults, std::atomic<int>& given, std::chrono::milliseconds first_takes = {})
        : inner_(inner, faults), given_(&given), first_takes_(first_takes) {}
    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void send(int to, int tag, std::span<xg::message_bytes const> parts) {
        xg::detail::rank_header head;
        std::memcpy(&head, parts[0].data(), sizeof head);
        *given_ += head.word == xg::detail::rank_word::gradient;
        if (head.word == xg::detail::rank_word::gradient) std::this_thread::sleep_for(std::exchange(first_takes_, {}));
        inner_.send(to, tag, parts);
    }
    std::optional<xg::received> try_receive(int from, int tag, xg::message_buffer& buffer, xg::wait_options const& options) {
        return inner_.try_receive(from, tag, buffer, options);
    }
};

// Indices are computed, and looked at when the gradient of a is there.
constexpr auto where = xg::input<"where", float, 2>;
constexpr auto values = xg::input<"values", float, 2, 3>;
constexpr auto a = xg::variable<"a", float, 3>;
constexpr auto t = xg::variable<"t", float, 4, 3>;
auto start_by_hand() {
    constexpr auto loss = xg::sum(xg::square(a - 1_c));
    constexpr auto computed = xg::cast<std::int32_t>(where * 2_c);
    constexpr xg::indexed_slices<std::remove_const_t<decltype(values)>, std::remove_const_t<decltype(computed)>,
        xg::typed_literal<float, 0>>
        slices{};
    return xg::apply_gradients<xg::gating::graph>(
        xg::gradient_descent{.learning_rate = .25}, loss, xg::with_variable(xg::gradient_of(loss, a), a), xg::with_variable(slices, t));
}
}   // namespace

TEST_CASE("a gradient that leaves while others are computed is the one that is there in the end") {
    train_type train = start(xg::adam{});
    auto& run = xg::step_driver::state(train).run;
    constexpr int first = xg::detail::step_parts<program>::second();
    xg::detail::update_steps updates(run, train.store(), first, program::plan.step_count);
    updates.follow();
    xg::detail::gradient_layout whole, parts;
    whole.follow(train, updates, first, 1 << 20);
    CHECK(whole.parts() == 1);
    parts.follow(train, updates, first, 1);
    REQUIRE(parts.parts() > 1);
    CHECK(parts.parts() <= 4);

    struct watched {
        xg::detail::gradient_worker<program> worker;
        xg::detail::gradient_layout& layout;
        xg::thread_network network{1};
        xg::thread_transport self = network.rank(0);
        xg::detail::outgoing message{};
        std::vector<int> sent_behind{};

        void send(int part) {
            layout.add(message, part, [&](int update) { return worker.gradient(update); });
            message.send(self, 0, part, {});
        }
        void look(int steps) {
            for (int p = static_cast<int>(sent_behind.size()); p < layout.parts() && layout.complete_after(p) <= steps; ++p) {
                send(p);
                sent_behind.push_back(steps);
            }
        }
    } w{{train.store(), true}, parts};
    w.worker.pull(train.store());
    w.worker.watch({0, [](void* all, int steps) { static_cast<watched*>(all)->look(steps); }, &w});
    for (int k = 0; k < 3; ++k) {
        w.sent_behind.clear();
        data(k).call([&](auto... in) { return w.worker.compute_gradients(k, 0, in...), 0; });
        REQUIRE(static_cast<int>(w.sent_behind.size()) == parts.parts() - 1);   // the last one is for the end
        CHECK(w.sent_behind.front() < first);
        xg::message_buffer early, late;
        for (int p = 0; p + 1 < parts.parts(); ++p) {
            w.send(p);
            auto const a = w.self.try_receive(0, p, early, {}), b = w.self.try_receive(0, p, late, {});
            REQUIRE((a && b && a->bytes == b->bytes));
            CHECK(std::memcmp(early.data(), late.data(), a->bytes) == 0);
        }
    }
}
TEST_CASE("gradients in several messages, late and twice: the bits of threads") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 15u : 120u); ++seed) {
        int const ranks = 1 + draw(seed, 0, 4), owners = 1 + draw(seed, 1, ranks);
        auto const batch_of = [&](int k, int s) { return data(draw(seed, static_cast<std::uint64_t>(100 + 20 * k + s), 40)); };
        auto const work = [&](auto& worker) {
            for (int s = 0; s < 10; ++s) batch_of(worker.index(), s).call(worker);
        };
        train_type expected = start(xg::adam{.learning_rate = .01});
        xg::sync_replicas threads(expected, {.workers = ranks, .initial_tokens = 0});
        threads.run(work);
        xg::thread_network network(ranks);
        std::atomic<int> given{0};
        test::on_ranks(ranks, [&](int k) {
            train_type train = start(xg::adam{.learning_rate = .01}, static_cast<std::uint64_t>(3 + k));
            wire mine(network.rank(k), {.seed = seed, .longest_delay = draw(seed, 2, 6), .duplicates = .3}, given);
            xg::sync_replicas replicas(train, mine, {.initial_tokens = 0, .owners = owners, .message_bytes = 1});
            replicas.run(work);
            REQUIRE_HERE(same_bits(train, expected));
        });
        CAPTURE(seed);
        CHECK(given >= 10 * ranks * (owners == 1 ? 2 : owners));
    }
}
TEST_CASE("a call that fails half-way has given nothing") {
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 10u : 60u); ++seed) {
        int const ranks = 1 + draw(seed, 0, 3), owners = 1 + draw(seed, 1, ranks);
        xg::thread_network network(ranks);
        std::atomic<int> given{0}, failed{0};
        test::on_ranks(ranks, [&](int k) {
            auto train = start_by_hand();
            wire mine(network.rank(k), {.seed = seed, .longest_delay = draw(seed, 2, 6), .duplicates = .3}, given);
            xg::sync_replicas replicas(train, mine, {.initial_tokens = 0, .owners = owners, .message_bytes = 1});
            auto const report = replicas.run([&](auto& worker) {
                for (int s = 0; s < 6; ++s) {
                    std::vector<float> const ones(6, 1.f);
                    for (int tries = draw(seed, static_cast<std::uint64_t>(10 * k + s), 3); tries > 0; --tries) {
                        int const before = ranks == 1 ? given.load() : 0;
                        try {
                            worker(where = std::vector<float>{0, 2}, values = xg::array(ones.data(), 2, 3));
                            REQUIRE_HERE(false);
                        } catch (xg::value_error const&) { ++failed; }
                        REQUIRE_HERE(ranks > 1 || given == before + 1);   // half-way
                    }
                    worker(where = std::vector<float>{0, 1.5f}, values = xg::array(ones.data(), 2, 3));
                }
            });
            // a - 1 halves each time
            REQUIRE_HERE(report.updates == 6 && train.value(a)(1) == 1 - 1.f / 64 && train.value(t)(0, 0) == -1.5f &&
                         train.value(t)(3, 2) == -1.5f && train.value(t)(1, 1) == 0);
            REQUIRE_HERE(report.workers[0].steps == 6 && report.workers[0].accepted == 6);
        });
        CHECK(failed > 0);
    }
}
TEST_CASE("a worker that is lost between two messages of a gradient is told so, and the others go on") {
    for (int owners : {1, 2}) {
        xg::thread_network network(2);
        std::atomic<int> given{0};
        test::on_ranks(2, [&](int k) {
            train_type train = start(xg::adam{.learning_rate = .01});
            wire mine(network.rank(k), {.longest_delay = 0}, given, std::chrono::milliseconds(k == 1 ? 2500 : 0));
            xg::sync_replicas replicas(train, mine, {.initial_tokens = 0, .deadline = 1s, .owners = owners, .message_bytes = 1});
            std::string text;
            std::int64_t updates = 0;
            try {
                updates = replicas
                              .run([&](auto& worker) {
                                  for (int s = 0; s < (k == 0 ? 6 : 1); ++s) data(s).call(worker);   // rank 1 owns its share all the while
                              })
                              .updates;
            } catch (xg::worker_error const& e) { text = e.what(); }
            REQUIRE_HERE(text == (k == 0 ? "" : "xgrad: worker 1: it was left behind: it had given no sign for 1000 ms"));
            REQUIRE_HERE(k == 1 || updates == 3);
        });
    }
}
TEST_CASE("workers that lag get all rows that have moved since their last token, or the whole table: the bits of a replay") {
    constexpr int ranks = 3, turns = 60;
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 6u : 40u); ++seed)
        for (int const owners : {1, 3}) {
            train_type expected = start(xg::adam{.learning_rate = .01});
            xg::sync_options const options{.workers = ranks, .replicas_to_aggregate = 1, .initial_tokens = 3};
            std::vector<int> schedule;
            int accepted = 0;
            {
                xg::sync_replicas threads(expected, options);
                typename decltype(threads)::replay replay(threads);
                for (int t = 0; t < turns; ++t) {
                    int k = t < 30 ? draw(seed, static_cast<std::uint64_t>(t), ranks) : 0;   // then two of them lag far
                    if (t >= 50) k = 1 + t % 2;
                    for (int tries = 0; tries < ranks; ++tries, k = (k + 1) % ranks) {
                        xg::sync_protocol next = replay.state();
                        next.push(k);
                        if (next.can_update()) next.update();
                        if (next.begin(k)) break;
                    }
                    schedule.push_back(k);
                    data(t).call([&](auto... in) { return replay.compute(k, in...), 0; });
                    accepted += replay.push(k);
                    if (replay.can_update()) replay.update();
                    REQUIRE(replay.begin(k));
                }
            }
            CHECK(accepted > 15);
            CHECK(accepted < turns);
            std::atomic<int> turn{0}, given{0};
            xg::thread_network network(ranks);
            test::on_ranks(ranks, [&](int k) {
                train_type train = start(xg::adam{.learning_rate = .01});
                auto ours = options;
                ours.owners = owners;
                ours.message_bytes = 1;
                wire mine(network.rank(k), {.longest_delay = 0}, given);
                xg::sync_replicas replicas(train, mine, ours);
                auto const report = replicas.run([&](auto& worker) {
                    for (int t = 0; t < turns; ++t) {
                        for (int now = turn; now < t; now = turn) turn.wait(now);
                        if (schedule[static_cast<std::size_t>(t)] != k) continue;
                        try {
                            data(t).call(worker);
                        } catch (...) {   // no other rank waits for it
                            turn = turns;
                            turn.notify_all();
                            throw;
                        }
                        ++turn;
                        turn.notify_all();
                    }
                });
                REQUIRE_HERE(report.updates == accepted && same_bits(train, expected));
            });
        }
}
TEST_CASE(
    "what on_update changes goes with the next token, unless it has promised to change nothing; what is restored goes with the next run") {
    for (bool const changes : {true, false}) {
        xg::thread_network network(2);
        std::atomic<int> given{0};
        test::on_ranks(2, [&](int k) {
            train_type train = start(xg::adam{});
            auto const last_row = [&] { return train.value(table)(39, 6); };   // no batch has it; rank 1 has a copy
            float const before = last_row();
            xg::sync_options options{.initial_tokens = 0, .on_update_changes = changes};
            options.on_update = [&](std::int64_t step) { train.value(table)(39, 6) = static_cast<float>(step); };
            wire mine(network.rank(k), {.longest_delay = 0}, given);
            xg::sync_replicas replicas(train, mine, options);
            for (int run = 0; run < 2; ++run) {
                replicas.run([&](auto& worker) {
                    float seen = last_row();
                    if (run == 1 && k == 1) REQUIRE_HERE(seen == 4 && train.value(table)(38, 0) == 17);
                    for (int s = 0; s < 4; ++s) {
                        data(s).call(worker);
                        if (k == 1 && changes && s > 0) seen = static_cast<float>(4 * run + s);
                        if (k == 1 && s > 0) REQUIRE_HERE(last_row() == seen);
                    }
                });
                REQUIRE_HERE(last_row() == static_cast<float>(4 * run + 4) && last_row() != before);
                if (k == 0) train.value(table)(38, 0) = 17;
            }
        });
    }
}
TEST_CASE("a log of rows has the last ones, as many as it has room for") {
    xg::detail::row_log log;
    log.make_room(5);
    std::vector<std::int64_t> const rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    auto const since = [&](std::int64_t place) {
        std::vector<int> all;
        log.each_piece(place, [&](std::int32_t const* r, std::int64_t n) { all.insert(all.end(), r, r + n); });
        return all;
    };
    log.add(rows.data(), 3);
    CHECK(log.holds(0));
    CHECK(since(0) == std::vector<int>{0, 1, 2});
    CHECK(since(3).empty());
    log.add(rows.data() + 3, 4);
    CHECK(!log.holds(1));
    CHECK(log.holds(2));
    CHECK(since(2) == std::vector<int>{2, 3, 4, 5, 6});
    CHECK(since(4) == std::vector<int>{4, 5, 6});
    auto const place = log.end();
    log.add(rows.data() + 7, 6);   // more than there is room for
    CHECK(!log.holds(place));
    CHECK(since(place + 1) == std::vector<int>{8, 9, 10, 11, 12});
    CHECK(log.holds(log.end()));
    auto const end = log.end();
    log.forget();
    CHECK(!log.holds(end));
    CHECK(log.holds(log.end()));
}
