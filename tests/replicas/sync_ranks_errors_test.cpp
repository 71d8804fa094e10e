// SPDX-License-Identifier: MIT
// Synchronous replicas over ranks: what ends a run before anything has moved, and ranks that do not fit together.
#include <support/message_of.hpp>

#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <replicas/cut_transport.hpp>
#include <transport/conformance.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;
using test::cut;

namespace {
constexpr auto g = xg::input<"g", double>;
constexpr auto which = xg::variable<"which", double>;
constexpr auto other = xg::variable<"other", double>;
}   // namespace

TEST_CASE("what a function among the hyper-parameters throws ends the run in all ranks, and nothing has moved; the rules of rank 0 "
          "are those of all owners") {
    for (int owners : {1, 2}) {
        xg::thread_network network(2);
        test::on_ranks(2, [&](int k) {
            bool bad = true;
            auto const rate = [&](std::int64_t) -> double {
                if (k == 1) throw std::logic_error("called in rank 1");
                if (std::exchange(bad, false)) throw std::runtime_error("the rate is broken");
                return 1;
            };
            auto train = xg::minimize<xg::gating::graph>(which * g, xg::gradient_descent{.learning_rate = rate});
            xg::sync_replicas replicas(train, network.rank(k), {.initial_tokens = 0, .owners = owners});
            auto const work = [&](auto& worker) { worker(g = 1.0); };
            REQUIRE_HERE(test::message_of<xg::worker_error>([&] { replicas.run(work); }).ends_with(": the rate is broken"));
            REQUIRE_HERE(train.value(which)() == 0 && train.global_step() == 0);
            REQUIRE_HERE(replicas.run(work).updates == 1 && train.value(which)() == -1);
        });
    }
}
TEST_CASE("with several owners all shares move by the rule of rank 0, also when on_update changes it") {
    xg::thread_network network(2);
    test::on_ranks(2, [&](int k) {
        auto train = xg::minimize<xg::gating::graph>((which + other) * g, xg::gradient_descent{.learning_rate = k == 0 ? 1.0 : 5.0});
        xg::sync_replicas replicas(train, network.rank(k),
            {.initial_tokens = 0, .owners = 2, .on_update = [&](std::int64_t) { train.rule().learning_rate = .25; }});
        replicas.run([&](auto& worker) {
            for (int s = 0; s < 3; ++s) worker(g = 1.0);
        });
        REQUIRE_HERE(train.value(which)() == -1.5 && train.value(other)() == -1.5);
    });
}
TEST_CASE("ranks that differ are told in which, before anything is computed") {
    auto const run = [](xg::thread_network& network, int k, auto train, xg::sync_options const& options) {
        xg::sync_replicas replicas(train, network.rank(k), options);
        return test::message_of<xg::error>([&] { replicas.run([](auto&) { throw std::runtime_error("computed"); }); });
    };
    constexpr auto a = xg::variable<"a", float, 2>;
    constexpr auto b = xg::variable<"a", float, 3>;
    auto const of = [](auto const& loss) { return xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1.0}); };
    xg::thread_network network(2);
    std::string const ranks = "xgrad: replicas: the ranks differ: rank 0 has ";
    test::on_ranks(2, [&](int k) {
        auto const text = k == 0 ? run(network, k, of(xg::sum(a)), {}) : run(network, k, of(xg::sum(b)), {});
        REQUIRE_HERE(text == ranks + "the variable \"a\": float [2], rank 1 has the variable \"a\": float [3]");
    });
    test::on_ranks(2, [&](int k) {
        auto const text = k == 0 ? run(network, k, of(xg::sum(a)), {}) : run(network, k, of(xg::sum(xg::exp(a))), {});
        REQUIRE_HERE(text.starts_with(ranks + "the hash of the program: "));
    });
    test::on_ranks(2, [&](int k) {
        auto const text = run(network, k, of(xg::sum(a)), {.replicas_to_aggregate = 2 - k});
        REQUIRE_HERE(text == ranks + "replicas_to_aggregate: 2, rank 1 has replicas_to_aggregate: 1");
    });
    auto train = of(xg::sum(a));
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas more(train, network.rank(0), {.owners = 3}); }) ==
          "xgrad: sync replicas: 3 owners among 2 ranks");
    CHECK(test::message_of<xg::value_error>([&] { xg::sync_replicas more(train, network.rank(0), {.workers = 3}); }) ==
          "xgrad: sync replicas: 3 workers over a transport of 2 ranks: there is one in each; remove .workers");
    CHECK(test::message_of<xg::value_error>([&] {
        xg::sync_replicas few(train, network.rank(0), {.replicas_to_aggregate = 4, .initial_tokens = 1});
    }) == "xgrad: sync replicas: too few tokens to finish the first step: 1 (given) vs 2 (needed, replicas_to_aggregate - "
          "total_num_replicas)");
}
TEST_CASE("a rank that is to move variables and leaves when all others have begun is not waited for") {
    for (int needed : {1, 2}) {
        std::stop_source stop;
        xg::thread_network network(2);
        test::on_ranks(2, [&](int k) {
            auto train = xg::minimize<xg::gating::graph>((which + other) * g, xg::gradient_descent{.learning_rate = 1.0});
            xg::sync_options o{.replicas_to_aggregate = needed, .owners = 2};
            if (k == 1) o.stop = stop.get_token();   // which it hears of before it hears that all are here
            xg::sync_replicas replicas(train, cut(network.rank(k), 0, false, k == 1), o);
            auto const report = replicas.run([&](auto& worker) {
                stop.request_stop();
                worker(g = 1.0);
            });
            REQUIRE_HERE(report.updates == 0 && train.global_step() == 0 && train.value(other)() == 0);
        });
    }
}
TEST_CASE("what the transport of one rank throws, whenever, is an error of its run; the others are told, or end by their deadline") {
    int failed = 0, told = 0;
    for (int owners : {1, 2})
        for (bool for_good : {false, true})
            for (int bad = 0; bad < 3; ++bad)
                for (int at = 1; at < (XGRAD_SANITIZED ? 60 : 120); at += for_good ? 17 : 1) {
                    CAPTURE(owners);
                    CAPTURE(for_good);
                    CAPTURE(bad);
                    CAPTURE(at);
                    std::string texts[3];
                    bool cause = false;
                    int calls = 0;
                    xg::thread_network network(3);
                    test::on_ranks(3, [&](int k) {
                        auto train = xg::minimize<xg::gating::graph>((which + other) * g, xg::gradient_descent{.learning_rate = 1.0});
                        // Who fails once tells all others: they do without the deadline.
                        auto const deadline = std::chrono::nanoseconds(for_good ? std::chrono::milliseconds(200) : 60s);
                        cut transport(network.rank(k), k == bad ? at : 0, k == bad && for_good);
                        xg::sync_replicas replicas(train, transport, {.initial_tokens = 0, .deadline = deadline, .owners = owners});
                        try {
                            replicas.run([&](auto& worker) {
                                for (int s = 0; s < 5; ++s) try {
                                        worker(g = 1.0);
                                    } catch (std::range_error const&) {   // run() throws it all the same
                                    }
                            });
                        } catch (xg::worker_error const& e) {
                            texts[k] = e.what();
                            if (k == bad) try {
                                    std::rethrow_exception(e.cause);
                                } catch (std::range_error const&) { cause = e.worker == bad; } catch (...) {
                                }
                        }
                        if (k == bad) calls = transport.calls();
                    });
                    std::string const expected = "xgrad: worker " + std::to_string(bad) + ": the cable is cut";
                    CHECK(cause == (calls >= at));
                    if (cause) CHECK(texts[bad] == expected);
                    else if (!for_good) CHECK(texts[bad] == "");   // with a short deadline it may be lost on a slow machine
                    failed += cause;
                    for (int k = 0; k < 3; ++k) {
                        told += k != bad && texts[k] == expected;
                        if (!for_good && at < 3) CHECK(texts[k] == expected);   // who fails once tells all others, also before its hello
                    }
                }
    MESSAGE(failed << " runs failed, " << told << " other ranks were told why");
    CHECK(failed > 100);
    CHECK(told > failed);
}
