// SPDX-License-Identifier: MIT
// Training through branches: zeros for the body that does not run, a failed lookup changes nothing, checkpoints, replicas.
#include <support/temporary_folder.hpp>
#include <support/tensor.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>

#include <map>
#include <string_view>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto flag = xg::input<"flag", bool>;
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto y = xg::input<"y", float, batch, 3>;
constexpr auto w = xg::variable<"w", float, 5, 3>;
constexpr auto v = xg::variable<"v", float, 5, 3>;
constexpr auto shared = xg::variable<"shared", float, 3>;
constexpr auto by_w(auto h) { return xg::tanh(xg::matmul(h, w)) + shared; }
constexpr auto by_v(auto h) { return xg::matmul(h, v) * shared; }
struct of_w : xg::region {
    static constexpr auto value(auto h) { return by_w(h); }
};
struct of_v : xg::region {
    static constexpr auto value(auto h) { return by_v(h); }
};
constexpr auto loss_of(auto prediction) { return xg::mean(xg::square(prediction - y)); }
constexpr auto branched = loss_of(xg::cond<of_w, of_v>(flag, x));
constexpr auto selected = loss_of(xg::select(flag, by_w(x), by_v(x)));

// All variables in the order of their names.
template<class Train>
std::vector<float> values(Train& train) {
    std::map<std::string_view, std::vector<float>> by_name;
    for (auto const& of : train.store().variables()) {
        auto const* const first = static_cast<float const*>(of.data);
        by_name[of.name] = {first, first + of.size};
    }
    std::vector<float> all;
    for (auto const& [name, elements] : by_name) all.insert(all.end(), elements.begin(), elements.end());
    return all;
}
template<class Train>
float step(Train& train, int k) {
    auto const seed = static_cast<std::uint64_t>(k);
    return train(flag = k % 3 == 1, x = test::numbers<float>({4 + k % 3, 5}, -1, 1, seed + 1),
        y = test::numbers<float>({4 + k % 3, 3}, -1, 1, seed + 100));
}
template<class... Train>
void begin(Train&... train) {
    auto const one = [](auto& of) {
        of.initialize(xg::glorot_uniform{.seed = 4});
        of.assign(shared, std::vector<float>{1, 2, 0.5F});
    };
    (one(train), ...);
}
void near(std::vector<float> const& a, std::vector<float> const& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(2e-4).scale(1));
}
}

TEST_CASE("a branch trains as select does: the body that does not run gives zeros") {
    auto const check = [](auto train, auto const& rule) {
        auto twin = xg::minimize(selected, rule);
        begin(train, twin);
        float first = 0, last = 0;
        for (int k = 0; k < 30; ++k) {
            last = step(train, k);
            CHECK(last == doctest::Approx(step(twin, k)).epsilon(2e-4).scale(1));
            if (k == 0) first = last;
        }
        CHECK(first > 0);
        near(values(train), values(twin));
    };
    xg::adam const adam{.learning_rate = 0.01};   // its averages decay: zeros are not the same as no gradient
    check(xg::minimize(branched, adam), adam);
    check(xg::minimize<xg::gating::graph>(branched, adam), adam);
    check(xg::minimize<xg::gating::op, false>(branched, adam), adam);
    xg::gradient_descent const descent{.learning_rate = 0.1};
    auto train = xg::minimize(branched, descent);
    begin(train);
    auto const of_the_other = [&] { return std::vector<float>(train.value(w).data(), train.value(w).data() + 15); };
    auto const before = of_the_other();
    step(train, 0);
    CHECK(of_the_other() == before);
    step(train, 1);
    CHECK(of_the_other() != before);
}

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 6, 3>;
struct looks_up : xg::region {
    static constexpr auto value(auto i) { return xg::gather(table, i) * shared; }
};
struct does_not : xg::region {
    static constexpr auto value(auto) { return xg::broadcast_to<batch, 3>(shared); }
};
constexpr auto looking = loss_of(xg::cond<looks_up, does_not>(flag, ids));
}
constexpr auto average = xg::non_trainable<"average", float, 3>;
struct moves_average : xg::region {
    static constexpr auto value(auto a) { return 0.5_c * a + 0.5_c * xg::updated(shared); }
};
struct keeps_average : xg::region {
    static constexpr auto value(auto a) { return a; }
};
TEST_CASE("a branch reads the new value of a variable") {
    auto train = xg::minimize(xg::sum(shared), xg::gradient_descent{.learning_rate = 1},
        xg::assign(average, xg::cond<moves_average, keeps_average>(flag, average)));
    train(flag = true);   // shared becomes -1, then -2, then -3
    train(flag = false);
    CHECK(train.value(average)[1] == -0.5f);
    train(flag = true);
    CHECK(train.value(average)[1] == -1.75f);
}

TEST_CASE("a lookup out of range fails where its body runs, and nothing is updated") {
    auto const check = [](auto train) {
        begin(train);
        auto const wanted = test::numbers<float>({3, 3});
        auto const good = test::list<std::int32_t>({5, 0, 5}), bad = test::list<std::int32_t>({5, 0, 6});
        train(flag = true, ids = good, y = wanted);
        auto const trained = values(train);
        CHECK_THROWS_AS(train(flag = true, ids = bad, y = wanted), xg::value_error);
        CHECK(train.try_step(flag = true, ids = bad, y = wanted).code == xg::status_code::index_out_of_range);
        CHECK(values(train) == trained);
        CHECK(train.global_step() == 1);
        train(flag = false, ids = bad, y = wanted);   // no body that runs looks at them
        CHECK(train.global_step() == 2);
        CHECK(values(train) != trained);
        train(flag = true, ids = good, y = wanted);
        CHECK(train.global_step() == 3);
    };
    check(xg::minimize(looking, xg::adam{}));
    check(xg::minimize<xg::gating::graph>(looking, xg::adam{}));
    check(xg::minimize(looking, xg::gradient_descent{.learning_rate = 0.1}));
}

namespace {
constexpr auto turns = xg::input<"turns", std::int32_t>;
constexpr auto rows = xg::input<"rows", float, 5, 3>;
struct goes_on : xg::region {
    static constexpr auto value(auto, auto k) { return xg::less(k, turns); }
};
struct repeats : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::carry(h * shared, k + 1_c); }
};
struct adds : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(h * shared + row); }
};
constexpr auto zero = xg::constant<std::int32_t, 0>;
constexpr auto first = xg::sum<0>(table);
constexpr auto before_loops = xg::sum(xg::square(w));
constexpr auto while_loss = before_loops + xg::sum(xg::square(std::get<0>(xg::while_loop<goes_on, repeats, 5>(xg::carry(first, zero)))));
constexpr auto last = std::get<0>(xg::scan<adds>(xg::carry(first).turns(turns), rows));
constexpr auto seen = xg::non_trainable<"seen", float, 3>;
constexpr auto counted_loss = before_loops + xg::sum(xg::square(last));
}
TEST_CASE("a number of iterations out of range fails, and nothing is updated") {
    auto const check = [](auto train, auto const&... data) {
        begin(train);
        train(turns = 5, data...);
        auto const trained = values(train);
        CHECK_THROWS_AS(train(turns = 6, data...), xg::value_error);
        CHECK(train.try_step(turns = 6, data...).code == xg::status_code::turns_out_of_range);
        CHECK(values(train) == trained);
        CHECK(train.global_step() == 1);
        train(turns = 0, data...);
        CHECK(train.global_step() == 2);
        CHECK(values(train) != trained);
    };
    auto const five = test::numbers<float>({5, 3});
    check(xg::minimize(while_loss, xg::gradient_descent{.learning_rate = 0.01}));
    check(xg::minimize<xg::gating::op>(while_loss, xg::adam{}));
    check(xg::minimize(counted_loss, xg::gradient_descent{.learning_rate = 0.01}), rows = five);
    check(xg::minimize<xg::gating::graph>(counted_loss, xg::adam{}), rows = five);
    // The update of w could run before the loop, which only an assignment reads.
    check(xg::minimize(before_loops, xg::gradient_descent{.learning_rate = 0.01}, xg::assign(seen, last)), rows = five);
}

TEST_CASE("a checkpoint of branches has the variables of all bodies, and training goes on alike") {
    temporary_folder folder;
    auto train = xg::minimize(branched, xg::adam{}), again = xg::minimize(branched, xg::adam{});
    begin(train);
    for (int k = 0; k < 4; ++k) step(train, k);
    xg::save(train, folder.path / "a.safetensors");
    xg::restore(again, folder.path / "a.safetensors");
    CHECK(values(again) == values(train));
    for (int k = 4; k < 8; ++k) CHECK(step(again, k) == step(train, k));
    CHECK(values(again) == values(train));
    auto written_out = xg::minimize(selected, xg::adam{});   // has the same variables
    xg::restore(written_out, folder.path / "a.safetensors");
    CHECK(written_out.global_step() == 4);
}

TEST_CASE("synchronous replicas that take different bodies: the mean of a gradient and of zeros") {
    auto train = xg::minimize<xg::gating::graph>(branched, xg::gradient_descent{.learning_rate = 0.5});
    auto alone = xg::minimize<xg::gating::graph>(branched, xg::gradient_descent{.learning_rate = 0.25});   // half of each gradient
    auto other = xg::minimize<xg::gating::graph>(branched, xg::gradient_descent{.learning_rate = 0.25});
    begin(train, alone, other);
    auto const start = values(train);
    auto const rows = test::numbers<float>({4, 5}), wanted = test::numbers<float>({4, 3});
    alone(flag = true, x = rows, y = wanted);
    other(flag = false, x = rows, y = wanted);
    auto const first = values(alone), second = values(other);
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(0, flag = true, x = rows, y = wanted);
    replay.compute(1, flag = false, x = rows, y = wanted);
    replay.push(0);
    replay.push(1);
    replay.update();
    auto const both = values(train);
    int changed = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
        CHECK(both[i] == doctest::Approx(first[i] + second[i] - start[i]).epsilon(1e-5).scale(1));
        changed += both[i] != start[i];
    }
    CHECK(changed > 30);   // of w, of v, and what both read
}
