// SPDX-License-Identifier: MIT
// Replicas in their steady state allocate nothing, fused and faithful.
#if __has_include(<malloc.h>)
#    include <malloc.h>   // which declares what the next one defines
#endif

#include <support/allocations.hpp>

#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#if XGRAD_INTERCEPT

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
constexpr auto x = xg::input<"x", float, 4, 5>;
constexpr auto table = xg::variable<"table", float, 9, 6>;
constexpr auto w = xg::variable<"w", float, 5, 6>;
constexpr auto d = xg::variable<"d", double, 3>;
constexpr auto loss = xg::cast<double>(xg::mean(xg::square(xg::matmul(x, w) + xg::gather(table, ids) - 0.3_c))) + xg::sum(xg::square(d));

struct data {
    std::int32_t rows[4];
    float in[20];
    explicit data(int k) {
        for (int i = 0; i < 4; ++i) rows[i] = (i * 5 + k * 3) % 9;
        for (int i = 0; i < 20; ++i) in[i] = static_cast<float>((i * 3 + k) % 7) / 7;
    }
    template<class F>
    auto call(F&& f) const {
        return f(ids = rows, x = xg::array(in, 4, 5));
    }
};
auto make() { return xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01}); }
}   // namespace

TEST_CASE_TEMPLATE("event by event: workers that give one gradient or several, and some too late", How, xg::fused, xg::faithful) {
    for (int needed : {4, 2}) {
        auto train = make();
        xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = needed});
        typename decltype(replicas)::replay replay(replicas);
        int dropped = 0;
        auto const turn = [&] {   // who begins first changes
            for (int event = 0; event < 54; ++event) {
                int const k = event % 7 % 3;
                if (replay.state().phase_of(k) == xg::sync_protocol::phase::waiting) replay.begin(k);
                else {
                    data(event % 9).call([&](auto const&... bound) { replay.compute(k, bound...); });
                    dropped += !replay.push(k);
                }
                if (event % 4 == 3 && replay.can_update()) replay.update();
            }
        };
        for (int k = 0; k < 20; ++k) turn();
        auto const before = train.global_step();
        dropped = 0;
        CHECK(test::count_allocations([&] {
            for (int k = 0; k < 20; ++k) turn();
        }) == 0);
        CHECK(train.global_step() > before + 20);
        if (needed == 2) CHECK(dropped > 20);
    }
}
TEST_CASE_TEMPLATE("what a worker has that joins and ends is given back, but for its row in the report", How, xg::fused, xg::faithful) {
    auto train = make();
    xg::sync_replicas replicas(train, How{}, {.workers = 2, .replicas_to_aggregate = 1, .share_variables = false});
    typename decltype(replicas)::replay replay(replicas);
    auto const relay = [&](int first, int last) {
        for (int k = first; k < last; ++k) {
            CHECK(replay.join() == k);
            auto const compute = [&] {
                CHECK(replay.begin(k));
                data(k % 9).call([&](auto const&... bound) { replay.compute(k, bound...); });
            };
            compute();
            while (k % 3 > 0 && !replay.push(k)) compute();   // its tokens may be old
            if (k % 3 == 1) replay.update();
            replay.end(k);   // before it has given anything, after the update, and before it
            if (k % 3 == 2) replay.update();
        }
    };
    relay(2, 30);
    auto const before = mallinfo2().uordblks;
    relay(30, 330);
    CHECK(mallinfo2().uordblks < before + 300 * 384);   // rows are in memory that doubles; the rest of a worker takes more
}
TEST_CASE_TEMPLATE("in threads", How, xg::fused, xg::faithful) {
    constexpr int steps = 600;
    auto train = make();
    xg::sync_replicas replicas(
        train, How{}, {.replicas_to_aggregate = 2, .initial_tokens = 1, .timeline_steps = 20, .on_update = [](std::int64_t step) {
                           test::counting = step > 100 && step < steps / 2 - 5;   // of the thread that updates
                       }});
    test::allocations = 0;
    replicas.run([](auto& worker) {
        for (int k = 0; k < steps; ++k) {
            test::counting = k > 200 && k < steps - 10;
            data(k % 9).call(worker);
        }
        test::counting = false;
    });
    CHECK(train.global_step() == steps / 2);
    CHECK(test::allocations == 0);
}
#else
TEST_CASE("allocations cannot be counted in this build") {}
#endif
