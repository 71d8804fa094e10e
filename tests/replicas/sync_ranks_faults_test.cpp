// SPDX-License-Identifier: MIT
// Synchronous replicas over ranks, when something goes wrong: who ends, throws, stops, differs, is lost; messages that come late or twice.
#include <support/message_of.hpp>

#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/faulty.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <transport/conformance.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto h = xg::input<"h", float>;
constexpr auto which = xg::variable<"which", double>;
constexpr auto sum = xg::variable<"sum", float>;
constexpr auto rest = xg::variable<"rest", double>;   // which no update moves
constexpr auto loss = which * g + xg::cast<double>(sum * h) + xg::stop_gradient(rest);
auto start() { return xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1.0}); }

/// What run() has thrown in each rank.
template<class Make, class Work>
std::vector<std::string> ends(int ranks, Make const& options, Work const& work) {
    std::vector<std::string> all(static_cast<std::size_t>(ranks));
    xg::thread_network network(ranks);
    test::on_ranks(ranks, [&](int k) {
        auto train = start();
        xg::sync_replicas replicas(train, network.rank(k), options(k));
        try {
            replicas.run([&](auto& worker) { work(worker, train); });
            all[static_cast<std::size_t>(k)] = "ended at step " + std::to_string(train.global_step());
        } catch (xg::worker_error const& e) { all[static_cast<std::size_t>(k)] = e.what(); }
    });
    return all;
}
// A rank of which no thread ever says that it moves a share of the variables.
struct without_service {
    xg::thread_transport inner;

    int rank() const { return inner.rank(); }
    int size() const { return inner.size(); }
    void send(int to, int tag, std::span<xg::message_bytes const> parts) {
        xg::detail::rank_header head;
        if (!parts.empty() && parts[0].size() >= sizeof head) std::memcpy(&head, parts[0].data(), sizeof head);
        if (head.word != xg::detail::rank_word::serves) inner.send(to, tag, parts);
    }
    std::optional<xg::received> try_receive(int from, int tag, xg::message_buffer& buffer, xg::wait_options const& options = {}) {
        return inner.try_receive(from, tag, buffer, options);
    }
};
auto give = [](auto& worker) { worker(g = 1.0, h = 1.f); };
using texts = std::vector<std::string>;
}   // namespace

TEST_CASE("a worker whose data end leaves the rest to the others") {
    for (int needed : {1, 2, 3}) {
        xg::thread_network network(3);
        test::on_ranks(3, [&](int k) {
            auto train = start();
            xg::sync_replicas replicas(train, network.rank(k), {.replicas_to_aggregate = needed});
            auto const report = replicas.run([&](auto& worker) {
                for (int s = 0; s < 5 + 10 * worker.index(); ++s) give(worker);
            });
            std::int64_t accepted = 0;
            for (int w = 0; w < 3; ++w) {
                auto const& r = report.workers[static_cast<std::size_t>(w)];
                REQUIRE_HERE(r.steps == 5 + 10 * w && r.accepted + r.dropped == r.steps);
                accepted += r.accepted;
            }
            REQUIRE_HERE(report.left < needed && accepted >= report.updates * needed + report.left);
            REQUIRE_HERE(train.global_step() == report.updates && train.value(which)() == -static_cast<double>(report.updates));
        });
    }
}
TEST_CASE("what one worker throws comes out of all ranks, with its number; then all can go on") {
    for (int bad = 0; bad < 3; ++bad)
        for (int owners : {1, 3}) {
            xg::thread_network network(3);
            test::on_ranks(3, [&](int k) {
                auto train = start();
                xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0, .owners = owners});
                try {
                    replicas.run([&](auto& worker) {
                        for (int s = 0;; ++s) {
                            if (s == 4 && worker.index() == bad) throw std::length_error("no more paper");
                            give(worker);
                        }
                    });
                    REQUIRE_HERE(false);
                } catch (xg::worker_error const& e) {
                    REQUIRE_HERE(e.worker == bad && e.what() == "xgrad: worker " + std::to_string(bad) + ": no more paper");
                    bool same = k != bad;
                    try {
                        std::rethrow_exception(e.cause);
                    } catch (std::length_error const&) { same = true; } catch (xg::error const&) {
                    }
                    REQUIRE_HERE(same);
                }
                REQUIRE_HERE(train.global_step() == 4 && train.value(which)() == -4);   // in all ranks
                REQUIRE_HERE(replicas.run([&](auto& worker) { give(worker); }).updates == 1);
            });
        }
    auto const unknown = ends(
        2, [](int) { return xg::sync_options{}; },
        [](auto& worker, auto&) {
            if (worker.index() == 1) throw 7;
            for (;;) give(worker);
        });
    CHECK(unknown == texts(2, "xgrad: worker 1: an exception of a type that xgrad does not know"));
}
TEST_CASE("a stop that is asked for in one rank ends the waits in all") {
    for (int asks = 0; asks < 2; ++asks) {
        std::stop_source stop;
        auto const all = ends(
            2,
            [&](int k) {
                xg::sync_options o{.initial_tokens = 0};
                if (k == asks) o.stop = stop.get_token();
                return o;
            },
            [&](auto& worker, auto&) {
                give(worker);
                if (worker.index() == asks) {
                    std::this_thread::sleep_for(5ms);
                    stop.request_stop();
                }
                for (;;) give(worker);
            });
        CHECK(all == texts(2, "ended at step 1"));
    }
}
TEST_CASE("a stop before a run has begun ends it in all ranks, whoever asks for it and comes last; then all can go on") {
    auto const nobody = std::chrono::milliseconds(0);
    struct {
        int asks;                            // -1: all
        std::chrono::milliseconds when[2];   // each rank begins
        std::chrono::milliseconds stop;
    } const cases[] = {{0, {nobody, nobody}, nobody}, {1, {nobody, nobody}, nobody}, {-1, {nobody, nobody}, nobody},
        {0, {nobody, 50ms}, 20ms}, {1, {50ms, nobody}, 20ms}, {-1, {nobody, 50ms}, 20ms}, {-1, {50ms, nobody}, 20ms},
        {0, {nobody, 1200ms}, nobody}, {1, {1200ms, nobody}, nobody}, {-1, {1200ms, nobody}, nobody}, {-1, {nobody, 1200ms}, nobody}};
    for (auto const& c : cases)
        for (auto const deadline : {std::chrono::nanoseconds::max(), std::chrono::nanoseconds(60s)}) {
            if (deadline == 60s && std::max(c.when[0], c.when[1]) > 1s) continue;   // they take long
            std::stop_source stop;
            xg::thread_network network(2);
            if (c.stop == nobody) stop.request_stop();
            std::thread later([&] {
                std::this_thread::sleep_for(c.stop);
                stop.request_stop();
            });
            test::on_ranks(2, [&](int k) {
                auto train = start();
                std::this_thread::sleep_for(c.when[k]);
                xg::sync_options o{.initial_tokens = 0, .deadline = deadline, .owners = 2};
                auto const free = o;
                if (c.asks == k || c.asks < 0) o.stop = stop.get_token();
                auto transport = network.rank(k);
                bool cancelled = false;
                auto const report = xg::sync_replicas(train, transport, o).run([&](auto& worker) {
                    try {
                        for (;;) give(worker);
                    } catch (xg::cancelled_error const&) {
                        cancelled = true;
                        throw;
                    }
                });
                REQUIRE_HERE(cancelled && report.workers.size() == 2 && train.global_step() == report.updates);
                auto const next = xg::sync_replicas(train, transport, free).run(give);
                REQUIRE_HERE(next.updates == 1 && train.global_step() == report.updates + 1);
            });
            later.join();
        }
}
TEST_CASE("a rank that is alone ends when its own stop is requested") {
    for (int k : {0, 1}) {
        xg::thread_network network(2);
        auto train = start();
        std::stop_source stop;
        stop.request_stop();
        xg::sync_replicas replicas(train, network.rank(k), {.stop = stop.get_token()});
        CHECK(replicas.run(give).updates == 0);
        CHECK(test::message_of<xg::worker_error>([&] { replicas.run([](auto&) { throw std::runtime_error("other"); }); }) ==
              "xgrad: worker " + std::to_string(k) + ": other");
    }
}
TEST_CASE("a stop in a rank whose work has ended ends the others") {
    std::stop_source stop;
    auto const all = ends(
        2,
        [&](int k) {
            xg::sync_options o{.replicas_to_aggregate = 1};
            if (k == 1) o.stop = stop.get_token();
            return o;
        },
        [&](auto& worker, auto&) {
            for (int s = 0; worker.index() == 0; ++s) {
                give(worker);
                if (s == 20) stop.request_stop();   // rank 1 has ended, or ends without another step
            }
        });
    CHECK(all[0] == all[1]);
    CHECK(all[0].starts_with("ended at step "));
}
TEST_CASE("a rank that was lost may begin the next run while the others are in the last one") {
    xg::thread_network network(3);
    test::on_ranks(3, [&](int k) {
        auto train = start();
        xg::sync_options o{.replicas_to_aggregate = 2, .initial_tokens = 0, .deadline = 600ms, .min_workers = 2};
        xg::sync_replicas replicas(train, network.rank(k), o);
        std::string text;
        try {
            replicas.run([&](auto& worker) {
                for (int s = 0; s < 12; ++s) {
                    std::this_thread::sleep_for(k == 2 && s == 3 ? 900ms : 150ms);
                    give(worker);
                }
            });
        } catch (xg::worker_error const& e) { text = e.what(); }
        REQUIRE_HERE(text == (k == 2 ? "xgrad: worker 2: it was left behind: it had given no sign for 600 ms" : ""));
        auto const report = replicas.run(give);
        REQUIRE_HERE(report.workers[2].steps == 1 && !report.workers[2].lost);
    });
}
TEST_CASE("on_update is called in rank 0, between updates") {
    xg::thread_network network(3);
    test::on_ranks(3, [&](int k) {
        auto train = start();
        std::vector<std::int64_t> steps;
        xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0, .on_update = [&](std::int64_t step) {
                                                                steps.push_back(step);
                                                                REQUIRE_HERE(train.value(which)() == -static_cast<double>(step));
                                                            }});
        replicas.run([&](auto& worker) {
            for (int s = 0; s < 3; ++s) give(worker);
        });
        REQUIRE_HERE(steps == (k == 0 ? std::vector<std::int64_t>{1, 2, 3} : std::vector<std::int64_t>{}));
    });
}
TEST_CASE("what on_update makes of a variable that no update moves goes with the next token, to all workers") {
    for (bool const changes : {true, false})
        for (int owners : {1, 3}) {
            xg::thread_network network(3);
            test::on_ranks(3, [&](int k) {
                auto train = start();
                xg::sync_options options{.initial_tokens = 0, .owners = owners, .on_update_changes = changes};
                options.on_update = [&](std::int64_t step) { train.value(rest)() = 100. * static_cast<double>(step); };
                xg::sync_replicas replicas(train, network.rank(k), options);
                replicas.run([&](auto& worker) {
                    for (int s = 0; s < 4; ++s) {   // the token of an update leaves before on_update
                        double const seen = changes && s > 1 ? 100. * (s - 1) : 0;
                        REQUIRE_HERE(worker(g = 1.0, h = 1.f) == seen - 2 * s);
                    }
                });
                REQUIRE_HERE(train.value(rest)() == 400);
            });
        }
}
TEST_CASE("a worker whose gradient lies unread while rank 0 is busy is not lost") {
    xg::thread_network network(2);
    std::atomic<int> begun{0};
    test::on_ranks(2, [&](int k) {
        auto train = start();
        xg::sync_options options{.replicas_to_aggregate = 1, .initial_tokens = 0, .deadline = 1000ms};
        options.on_update = [&](std::int64_t step) {
            begun = static_cast<int>(step);
            begun.notify_all();
            if (step < 3) std::this_thread::sleep_for(600ms);
        };
        auto const report = xg::sync_replicas(train, network.rank(k), options).run([&](auto& worker) {
            if (k == 1) {
                begun.wait(0);
                std::this_thread::sleep_for(100ms);   // after the second one of rank 0
                give(worker);
            } else
                for (int s = 0; s < 3; ++s) give(worker);
        });
        REQUIRE_HERE(!report.workers[0].lost && !report.workers[1].lost);
        REQUIRE_HERE(report.workers[0].steps == 3 && report.workers[1].steps == 1);
    });
}
TEST_CASE("a rank that never begins is named") {
    xg::thread_network network(3);
    test::on_ranks(2, [&](int k) {   // rank 2 is not there
        auto train = start();
        xg::sync_replicas replicas(train, network.rank(k), {.deadline = 500ms});
        REQUIRE_HERE(test::message_of<xg::worker_error>([&] { replicas.run(give); }) == "xgrad: worker 2: it has not begun for 500 ms");
    });
}
TEST_CASE("a worker that is stuck is lost: the others go on, or fail where too few are left") {
    for (int least : {1, 3})
        for (int stuck : {0, 2}) {
            std::atomic<int> ended{0};
            auto const all = ends(
                3,
                [&](int) {
                    return xg::sync_options{.initial_tokens = 0, .deadline = 1000ms, .min_workers = least, .owners = least == 1 ? 3 : 1};
                },
                [&](auto& worker, auto&) {
                    give(worker);
                    if (worker.index() == stuck) {
                        for (int n = 0; n < 2; n = ended) ended.wait(n);   // until the others have ended
                        give(worker);
                    }
                    struct counted {
                        std::atomic<int>& ended;
                        ~counted() {
                            ++ended;
                            ended.notify_all();
                        }
                    } const end{ended};
                    for (int s = 0; s < 3; ++s) give(worker);
                });
            CAPTURE(stuck);
            CAPTURE(least);
            std::string const number = std::to_string(stuck);
            for (int k = 0; k < 3; ++k) {
                auto const& text = all[static_cast<std::size_t>(k)];
                if (k == stuck) CHECK(text == "xgrad: worker " + number + ": it was left behind: it had given no sign for 1000 ms");
                else if (least == 3)
                    CHECK(text == "xgrad: worker " + number + ": it has given no sign for 1000 ms, and 2 of at least 3 workers are left");
                else CHECK(text == "ended at step 3");   // 1, and 6 gradients of two
            }
        }
}
TEST_CASE("workers that have ended are not lost: they are among those who must be left") {
    auto const all = ends(
        3, [](int) { return xg::sync_options{.replicas_to_aggregate = 1, .deadline = 1000ms, .min_workers = 2}; },
        [](auto& worker, auto&) {
            give(worker);
            if (worker.index() == 2) std::this_thread::sleep_for(3s);
        });
    CHECK(all[0].starts_with("ended at step "));
    CHECK(all[1] == all[0]);
    CHECK(all[2] == "xgrad: worker 2: it was left behind: it had given no sign for 1000 ms");
}
TEST_CASE("an owner that never serves is lost, also where its worker waits, or has ended, and all others wait") {
    for (int steps : {0, 2}) {
        xg::thread_network network(2);
        std::string all[2];
        test::on_ranks(2, [&](int k) {
            auto train = start();
            xg::sync_replicas replicas(train, without_service{network.rank(k)}, {.deadline = 200ms, .owners = 2});
            all[k] = test::message_of<xg::worker_error>([&] {
                replicas.run([&](auto& worker) {
                    for (int s = 0; s < (k == 0 ? 2 : steps); ++s) give(worker);
                });
            });
            REQUIRE_HERE(train.global_step() == 0);
        });
        CHECK(all[0] == "xgrad: worker 1: its share of the variables is lost: nothing has come from it for 200 ms");
        CHECK(all[1].starts_with("xgrad: worker 1: "));
    }
}
TEST_CASE(
    "random schedules over messages that come late and twice: each run ends, and each update is the sum of what was accepted, to the bit") {
    int lost = 0, failed = 0, completed = 0;
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 60u : 1000u); ++seed) {
        xg::random_key key;
        key.seed = seed;
        auto const draw = [&](std::uint64_t what, int below) {
            return static_cast<int>(xg::random_bits(key, what) % static_cast<unsigned>(below));
        };
        int const ranks = 1 + draw(0, 4), needed = 1 + draw(1, 4);
        int const fails = draw(2, 6) == 0 ? draw(3, ranks) : -1, silent = draw(4, 12) == 0 ? draw(5, ranks) : -1;
        auto const number = [&](int k, int s) { return static_cast<double>(std::int64_t{1} << (12 * k + s)); };
        auto const value = [&](int k, int s) {
            return static_cast<float>(draw(static_cast<std::uint64_t>(1000 + 100 * k + s), 1 << 24)) / 4096.f;
        };
        struct moved {
            double which;
            float sum;
        };
        std::vector<moved> moves{{0, 0}};
        std::vector<int> steps(4, 0);
        std::vector<moved> last(4, {1, 1});   // of the ranks that have not thrown
        int ends = 0, threw = 0;
        std::mutex mutex;
        xg::thread_network network(ranks);
        test::on_ranks(ranks, [&](int k) {
            auto train = start();
            xg::fault_options faults{.seed = seed, .longest_delay = draw(6, 6), .duplicates = .15};
            if (k == silent) faults.silent_after = draw(7, 14);
            xg::sync_options options{.replicas_to_aggregate = needed, .initial_tokens = draw(8, 2) == 0 ? -1 : std::max(0, needed - ranks)};
            options.reduction = xg::reduction::sum;
            options.owners = 1 + draw(9, ranks);
            if (silent >= 0) options.deadline = 60ms;
            options.on_update = [&](std::int64_t) { moves.push_back({train.value(which)(), train.value(sum)()}); };
            xg::sync_replicas replicas(train, xg::faulty(network.rank(k), faults), options);
            try {
                replicas.run([&](auto& worker) {
                    int const count = draw(static_cast<std::uint64_t>(20 + k), 12);
                    for (int s = 0; s < count; ++s) {
                        if (k == fails && s == count / 2) throw std::runtime_error("as planned");
                        ++steps[static_cast<std::size_t>(k)];
                        worker(g = number(k, s), h = value(k, s));
                    }
                });
                last[static_cast<std::size_t>(k)] = {train.value(which)(), train.value(sum)()};
            } catch (xg::worker_error const& e) {
                REQUIRE_HERE(silent >= 0 || (e.worker == fails && std::string(e.what()).ends_with("as planned")));
                std::lock_guard const lock(mutex);
                ++threw;
            }
            std::lock_guard const lock(mutex);
            ++ends;
        });
        CAPTURE(seed);
        CHECK(ends == ranks);
        failed += threw > 0 && silent < 0;
        lost += silent >= 0;
        completed += threw == 0;
        std::int64_t before = 0;
        for (std::size_t u = 1; u < moves.size(); ++u) {
            auto const now = static_cast<std::int64_t>(-moves[u].which), set = now - before;
            int accepted = 0;
            float all = 0;
            bool any = false;
            for (int k = 0; k < ranks; ++k) {
                float own = 0;
                bool first = true;
                for (int s = 0; s < 12; ++s)
                    if ((set >> (12 * k + s) & 1) != 0) {
                        CHECK(s < steps[static_cast<std::size_t>(k)]);
                        own = first ? value(k, s) : own + value(k, s);
                        first = false;
                        ++accepted;
                    }
                if (!first) all = any ? all + own : own;
                any = any || !first;
            }
            CHECK(accepted >= needed);
            CHECK((before & set) == 0);   // none twice
            CHECK(moves[u].sum == moves[u - 1].sum - all);
            before = now;
        }
        for (int k = 0; k < ranks; ++k)
            if (last[static_cast<std::size_t>(k)].which != 1) {
                CHECK(last[static_cast<std::size_t>(k)].which == moves.back().which);
                CHECK(last[static_cast<std::size_t>(k)].sum == moves.back().sum);
            }
    }
    MESSAGE(completed << " completed, " << failed << " failed as planned, " << lost << " with a silent rank");
    CHECK(completed > 30);
}
