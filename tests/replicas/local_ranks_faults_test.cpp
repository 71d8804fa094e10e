// SPDX-License-Identifier: MIT
// Workers with local steps over ranks, when something goes wrong: a rank ends, throws, stops, differs or is lost; messages come late or
// twice.
#include "random_schedule.hpp"

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/transport/faulty.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <support/message_of.hpp>
#include <replicas/cut_transport.hpp>
#include <transport/conformance.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
using test::error_of, test::g, test::one_number, test::v;
using test::cut;
using faulty = xg::faulty<xg::thread_transport>;
/// Not cut: of one type with those that are.
cut whole(xg::thread_transport rank) { return {rank, 0, false}; }

/// Each exchange moves the centre by -1 or, of means, by -period.
struct schedule : test::random_schedule {
    unsigned seed;
    int period, silent;   // a rank, or -1

    explicit schedule(unsigned s) : random_schedule(s), seed(s), period(1 + draw(1, 4)), silent(draw(4, 12) == 0 ? draw(5, workers) : -1) {}
    std::chrono::nanoseconds deadline() const { return silent >= 0 ? 60ms : std::chrono::nanoseconds::max(); }
    faulty transport(xg::thread_network& network, int k) const {
        xg::fault_options o{.seed = seed, .longest_delay = draw(6, 6), .duplicates = .15};
        if (k == silent) o.silent_after = draw(7, 14);
        return faulty(network.rank(k), o);
    }
};
struct tally {
    int completed = 0, failed = 0, lost = 0;
};
/// `make(train, transport, schedule, on_update)`; `meets` says that all exchange together.
template<class Make>
void random_schedules(bool meets, Make const& make) {
    tally all;
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 40u : 300u); ++seed) {
        schedule const s(seed);
        int const ranks = s.workers, period = s.period;
        std::vector<std::string> texts(static_cast<std::size_t>(ranks));
        std::vector<float> ends(static_cast<std::size_t>(ranks), 1.f);   // of the ranks that have not thrown
        xg::local_report report;
        float centre = 0;
        std::int64_t updates = 0;   // as rank 0 has seen them
        xg::thread_network network(ranks);
        test::on_ranks(ranks, [&](int k) {
            auto train = one_number();
            auto replicas = make(train, s.transport(network, k), s, [&](std::int64_t step) { REQUIRE_HERE(k == 0 && step == ++updates); });
            auto const at = static_cast<std::size_t>(k);
            try {
                auto const r = replicas.run([&](auto& worker) { s.work(worker); });
                ends[at] = train.value(v)();
                if (k == 0) report = r;
            } catch (xg::worker_error const& e) { texts[at] = e.what(); }
            if (k == 0) {
                centre = train.value(v)();
                REQUIRE_HERE(train.global_step() == updates);
            }
        });
        CAPTURE(seed);
        CHECK(centre == -static_cast<float>(updates * (meets ? period : 1)));
        bool ended = true;
        for (int k = 0; k < ranks; ++k) {
            auto const at = static_cast<std::size_t>(k);
            ended = ended && texts[at].empty();
            if (texts[at].empty()) CHECK(ends[at] == centre);
            if (s.silent < 0) CHECK(texts[at] == (s.throws() ? "xgrad: worker " + std::to_string(s.fails) + ": as planned" : ""));
        }
        all.failed += s.throws() && s.silent < 0;
        all.lost += s.silent >= 0;
        all.completed += ended;
        if (s.silent >= 0 || s.throws()) continue;
        CHECK(report.updates == updates);
        std::int64_t given = 0, most = 0;
        for (int k = 0; k < ranks; ++k) {
            auto const& w = report.workers[static_cast<std::size_t>(k)];
            CHECK(w.steps == s.steps_of(k));
            CHECK(w.communications == w.steps / period);
            CHECK(w.left == w.steps % period);
            given += w.communications;
            most = std::max(most, w.communications);
        }
        CHECK(updates == (meets ? most : given));
    }
    MESSAGE(all.completed << " completed, " << all.failed << " failed as planned, " << all.lost << " with a silent rank");
    CHECK(all.completed > 10);
}
}   // namespace

TEST_CASE("random schedules over messages that come late and twice: each run ends, and what a worker gives counts once") {
    random_schedules(false, [](auto& train, faulty over, schedule const& s, auto const& on_update) {
        return xg::agn(train, std::move(over), {.period = s.period, .deadline = s.deadline(), .on_update = on_update});
    });
    random_schedules(true, [](auto& train, faulty over, schedule const& s, auto const& on_update) {
        return xg::model_average(train, std::move(over), {.interval_steps = s.period, .deadline = s.deadline(), .on_update = on_update});
    });
    random_schedules(true, [](auto& train, faulty over, schedule const& s, auto const& on_update) {
        return xg::diloco(train, std::move(over), {.period = s.period, .deadline = s.deadline(), .on_update = on_update},
            xg::gradient_descent{.learning_rate = 1.0});
    });
}
TEST_CASE("a stop in one rank ends those who wait for the others, and all others at their next call") {
    for (int asks = 0; asks < 2; ++asks) {
        std::stop_source stop;
        std::atomic<int> cancelled{0};
        xg::thread_network network(2);
        test::on_ranks(2, [&](int k) {
            auto train = one_number();
            xg::model_average_options o{.interval_steps = 1};
            if (k == asks) o.stop = stop.get_token();
            xg::model_average replicas(train, network.rank(k), o);
            auto const report = replicas.run([&](auto& worker) {
                worker(g = 1.f);
                if (k == asks) {
                    std::this_thread::sleep_for(5ms);   // the other one waits by then
                    stop.request_stop();
                }
                try {
                    for (;;) worker(g = 1.f);
                } catch (xg::cancelled_error const&) {
                    ++cancelled;
                    throw;
                }
            });
            REQUIRE_HERE(report.updates == 1 && train.global_step() == 1 && train.value(v)() == -1);
        });
        CHECK(cancelled == 2);
    }
}
TEST_CASE("what the transport of one rank throws, whenever, is an error of its run, and the others are told, without a deadline") {
    int failed = 0;
    for (int bad = 0; bad < 3; ++bad)
        for (int at = 1; at < (XGRAD_SANITIZED ? 40 : 80); ++at) {
            std::string texts[3];
            int calls = 0;
            float centre[3];
            xg::thread_network network(3);
            test::on_ranks(3, [&](int k) {
                auto train = one_number();
                cut transport(network.rank(k), k == bad ? at : 0, false);
                xg::agn replicas(train, cut(transport), {.period = 2});
                texts[k] = error_of(replicas, [](auto& worker) {
                    for (int s = 0; s < 7; ++s) try {
                            worker(g = 1.f);
                        } catch (std::range_error const&) {   // run() throws it all the same
                        }
                });
                if (k == bad) calls = transport.calls();
                centre[k] = train.value(v)();
            });
            CAPTURE(bad);
            CAPTURE(at);
            std::string const number = std::to_string(bad);
            if (calls < at) CHECK(texts[bad] == "nothing was thrown");
            else CHECK(texts[bad] == number + " xgrad: worker " + number + ": the cable is cut");
            for (int k = 0; k < 3; ++k) {
                CHECK((texts[k] == texts[bad] || (k != bad && texts[k] == "nothing was thrown")));   // which is cut when they have ended
                if (texts[k] == "nothing was thrown") CHECK(centre[k] == -9);
            }
            failed += calls >= at;
        }
    MESSAGE(failed << " runs failed");
    CHECK(failed > 60);
}
TEST_CASE("what is thrown at the centre ends the run in all ranks, which have the centre as it was left") {
    xg::thread_network network(3);
    test::on_ranks(3, [&](int k) {
        auto train = one_number();
        xg::agn replicas(train, whole(network.rank(k)), {.period = 2, .on_update = [&](std::int64_t step) {
                                                             REQUIRE_HERE(k == 0);
                                                             if (step == 3) throw std::runtime_error("the disk is full");
                                                         }});
        REQUIRE_HERE(error_of(replicas, [&](auto& worker) {
            for (;;) worker(g = 1.f);
        }).ends_with(": the disk is full"));
        REQUIRE_HERE(train.global_step() == 3 && train.value(v)() == -3);
    });
}
TEST_CASE("a worker that is stuck is lost, and the others go on; in the next run it begins like the centre, as those do whose centre "
          "was moved by others") {
    xg::thread_network network(3);
    std::atomic<int> ended{0};
    test::on_ranks(3, [&](int k) {
        auto train = xg::minimize<xg::gating::graph>(v * g, xg::momentum{.learning_rate = 1.f, .momentum = .5f});
        auto const slot = [](auto& worker) {
            auto& own = const_cast<std::remove_cvref_t<decltype(worker.own())>&>(worker.own());
            return own.slot(v, "momentum")();
        };
        xg::agn replicas(train, network.rank(k), {.period = 100, .deadline = 2s});
        std::string const text = error_of(replicas, [&](auto& worker) {
            worker(g = 4.f);
            if (k == 2)
                for (int n = 0; n < 2; n = ended) ended.wait(n);
            worker(g = 0.f);
            REQUIRE_HERE(slot(worker) == 2);
        });
        if (k != 2) REQUIRE_HERE(text == "nothing was thrown" && (k == 1 || replicas.progress().workers[2].lost));
        else REQUIRE_HERE(text == "2 xgrad: worker 2: it was left behind: it had given no sign for 2000 ms");
        ++ended;
        ended.notify_all();
        replicas.run([&](auto& worker) {
            worker(g = 0.f);
            REQUIRE_HERE(slot(worker) == (k == 2 ? 0.f : 1.f));
        });
        if (k == 0) train(g = 8.f);   // the centre, in rank 0 alone
        replicas.run([&](auto& worker) {
            worker(g = 0.f);
            REQUIRE_HERE(slot(worker) == 4.f);
        });
    });
}
TEST_CASE("a worker may take steps of its own for longer than the deadline") {
    xg::thread_network network(2);
    test::on_ranks(2, [&](int k) {
        auto train = one_number();
        xg::agn replicas(train, whole(network.rank(k)), {.period = 100, .deadline = 800ms});
        auto const report = replicas.run([&](auto& worker) {
            for (int s = 0; s < 30; ++s) {
                std::this_thread::sleep_for(50ms);
                worker(g = 1.f);
            }
        });
        for (auto const& w : report.workers) REQUIRE_HERE(!w.lost && w.steps == 30 && w.left == 30);
    });
}
TEST_CASE("those who wait for rank 0 hear of it before on_update, which may take nearly a deadline") {
    xg::thread_network network(2);
    test::on_ranks(2, [&](int k) {
        auto train = one_number();
        xg::model_average_options o{.interval_steps = 1, .deadline = 2000ms};
        o.on_update = [](std::int64_t) { std::this_thread::sleep_for(1700ms); };
        xg::model_average replicas(train, network.rank(k), o);
        auto const report = replicas.run([&](auto& worker) {
            if (k == 0) std::this_thread::sleep_for(440ms);   // the other one waits from the beginning
            worker(g = 1.f);
        });
        REQUIRE_HERE(report.updates == 1);
    });
}
TEST_CASE("ranks that differ in method or options are told in which") {
    xg::thread_network network(2);
    std::string const ranks = "xgrad: replicas: the ranks differ: rank 0 has ";
    auto const text = [](auto&& replicas) { return test::message_of<xg::value_error>([&] { replicas.run([](auto&) { throw 1; }); }); };
    test::on_ranks(2, [&](int k) {
        auto train = one_number();
        REQUIRE_HERE(text(xg::agn(train, whole(network.rank(k)), {.period = 3 + k})) == ranks + "period: 3, rank 1 has period: 4");
        std::string const differs = k == 0 ? text(xg::agn(train, whole(network.rank(k)))) : text(xg::model_average(train, network.rank(k)));
        REQUIRE_HERE(differs == ranks + "the method: agn, rank 1 has the method: model_average");
    });
    auto train = one_number();
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, whole(network.rank(0)), {.workers = 3}); }) ==
          "xgrad: agn: 3 workers over a transport of 2 ranks: there is one in each; remove .workers");
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, whole(network.rank(0)), {.period = 0}); }) ==
          "xgrad: agn: period must be positive, but is 0");
    CHECK(test::message_of<xg::value_error>([&] { xg::agn(train, whole(network.rank(0)), {.min_workers = 3}); }) ==
          "xgrad: replicas: min_workers, 3, is more than there are workers, 2");
}
