// SPDX-License-Identifier: MIT
// Random schedules, event by event: fused and faithful replicas leave the same bits, and the tokens of sync_protocol.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using phase = xg::sync_protocol::phase;

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, 2, 3>;
constexpr auto x = xg::input<"x", float, 2, 5>;
constexpr auto y = xg::input<"y", double, 3>;
constexpr auto table = xg::variable<"table", float, 9, 4>;
constexpr auto w = xg::variable<"w", float, 5, 4>;
constexpr auto b = xg::variable<"b", float, 4>;
constexpr auto d = xg::variable<"d", double, 3>;
constexpr auto hidden = xg::tanh(xg::matmul(x, w) + b + xg::embedding_bag(table, ids));
constexpr auto loss = xg::cast<double>(xg::mean(xg::square(hidden - 0.3_c))) + xg::mean(xg::square(d - y));

struct data {
    std::int32_t rows[6];
    float in[10];
    double target[3];
    explicit data(std::mt19937& random) {
        auto const unit = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
        for (auto& r : rows) r = static_cast<std::int32_t>(random() % 9);   // also several times the same
        for (auto& v : in) v = static_cast<float>(unit());
        for (auto& v : target) v = unit();
    }
    template<class F>
    auto call(F&& f) const {
        return f(ids = xg::array(rows, 2, 3), x = xg::array(in, 2, 5), y = xg::array(target, 3));
    }
};

/// All that an update changes, byte by byte.
template<class Train>
std::vector<std::byte> bytes(Train const& train) {
    std::vector<std::byte> all;
    auto const add = [&](void const* p, std::size_t n) {
        all.insert(all.end(), static_cast<std::byte const*>(p), static_cast<std::byte const*>(p) + n);
    };
    auto const& variables = train.store().variables();
    auto const of = [&](xg::stored_variable const& v, void const* p) { add(p, static_cast<std::size_t>(v.size) * xg::size_of(v.type)); };
    for (auto const& v : variables) of(v, v.data);
    for (auto const& s : train.optimizer().all())
        for (int k = 0; k < s.slot_count; ++k) of(variables.at[s.variable], s.slots[k]);
    add(train.optimizer().powers.at, static_cast<std::size_t>(train.optimizer().powers.count) * sizeof(double));
    return all;
}

/// One random schedule for both. Gradients are given and means are taken variable by variable, in any order.
/// But those of one gradient stay together, and those of one update too: then both must be equal.
template<class Make>
void compare(Make const& make, unsigned seed, int& updates, int& dropped) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto const draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    int const workers = 1 + draw(4), needed = 1 + draw(5), least = std::max(0, needed - workers);
    xg::sync_options const options{.workers = workers,
        .replicas_to_aggregate = needed,
        .initial_tokens = draw(2) == 0 ? -1 : least + draw(3),
        .reduction = draw(4) == 0 ? xg::reduction::sum : xg::reduction::mean,
        .sort_and_sum = draw(3) != 0,
        .share_variables = draw(2) == 0};
    auto a = make(), b = make();
    xg::sync_replicas fused(a, options);
    xg::sync_replicas faithful(b, xg::faithful{}, options);
    typename decltype(fused)::replay left(fused);
    typename decltype(faithful)::replay right(faithful);
    std::vector<bool> computed(static_cast<std::size_t>(workers), false);
    auto const shuffled = [&] {
        std::vector<int> order(static_cast<std::size_t>(right.updates()));
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
        std::shuffle(order.begin(), order.end(), random);
        return order;
    };
    for (int event = 0; event < 100; ++event) {
        int const k = draw(static_cast<int>(computed.size())), what = draw(16);
        auto const at = static_cast<std::size_t>(k);
        auto const& state = left.state();
        if (what == 0 && state.active() > 1 && state.phase_of(k) != phase::gone) {
            left.end(k);
            right.end(k);
        } else if (what == 1 && computed.size() < 6) {
            std::string refused[2];
            try {
                left.join();
            } catch (xg::value_error const& e) { refused[0] = e.what(); }
            try {
                right.join();
            } catch (xg::value_error const& e) { refused[1] = e.what(); }
            REQUIRE(refused[0] == refused[1]);
            if (refused[0].empty()) computed.push_back(false);
        } else if (left.can_update() && what < 8) {
            left.update();
            REQUIRE(right.can_update());
            for (int u : shuffled())
                if (draw(2) == 0) REQUIRE(right.take(u));
            right.update();
            REQUIRE(bytes(a) == bytes(b));
            ++updates;
        } else if (state.phase_of(k) == phase::computing) {
            if (!computed[at]) {
                data const in(random);
                double const l = in.call([&](auto const&... bound) { return left.compute(k, bound...); });
                double const r = in.call([&](auto const&... bound) { return right.compute(k, bound...); });
                REQUIRE(l == r);
                computed[at] = true;
            } else {
                bool const counts = left.push(k);
                for (int u : shuffled()) REQUIRE(right.push(k, u) == counts);
                computed[at] = false;
                dropped += !counts;
            }
        } else if (state.phase_of(k) == phase::waiting) REQUIRE(left.begin(k) == right.begin(k));
        for (int u = 0; u < right.updates(); ++u) {
            REQUIRE(right.num_accumulated(u) == state.fresh());
            REQUIRE(right.accumulator_step(u) == state.global_step());
        }
        for (int w = 0; w < state.worker_count(); ++w) {
            REQUIRE(right.phase_of(w) == state.phase_of(w));
            REQUIRE(right.local_step(w) == state.local_step(w));
        }
        auto const tokens = right.tokens();
        REQUIRE(std::equal(tokens.begin(), tokens.end(), state.tokens().begin(), state.tokens().end()));
    }
    REQUIRE(a.global_step() == b.global_step());
    REQUIRE(bytes(a) == bytes(b));
}
template<class A, class B, class C, class D>
void compare_all(A const& of_table, B const& of_w, C const& of_b, D const& of_d) {
    auto const make = [&] {
        auto train = xg::minimize<xg::gating::graph>(
            loss, xg::param_group(of_table, table), xg::param_group(of_w, w), xg::param_group(of_b, b), xg::param_group(of_d));
        train.initialize(xg::glorot_uniform{.seed = 3});
        return train;
    };
    int updates = 0, dropped = 0;
    for (unsigned seed = 0; seed < (XGRAD_SANITIZED ? 100u : 1000u); ++seed) compare(make, seed, updates, dropped);
    CHECK(updates > (XGRAD_SANITIZED ? 300 : 3500));
    CHECK(dropped > (XGRAD_SANITIZED ? 50 : 1000));
}
}   // namespace

TEST_CASE("fused and faithful leave the same bits: adam on rows, lamb, adagrad, momentum on doubles") {
    compare_all(xg::adam{.learning_rate = .01}, xg::lamb{.learning_rate = .01}, xg::adagrad{.learning_rate = .1},
        xg::momentum{.learning_rate = .05});
}
TEST_CASE("fused and faithful leave the same bits: adagrad on rows, momentum, lamb, adam on doubles") {
    compare_all(xg::adagrad{.learning_rate = .1}, xg::momentum{.learning_rate = .05}, xg::lamb{.learning_rate = .01},
        xg::adam{.learning_rate = .01});
}
