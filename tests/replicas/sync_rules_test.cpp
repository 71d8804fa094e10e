// SPDX-License-Identifier: MIT
// Rules in replicas that change gradients or bound variables: the norm of each worker's gradients, norms of variables;
// gradients that only some workers have.
#include <support/message_of.hpp>

#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto a = xg::variable<"a", double, 2>;
constexpr auto b = xg::variable<"b", double>;
constexpr auto ga = xg::input<"ga", double, 2>;
constexpr auto gb = xg::input<"gb", double>;
constexpr auto loss = xg::sum(a * ga) + b * gb;   // the gradients are ga and gb
using list = std::vector<double>;
constexpr auto rows = xg::variable<"rows", double, 3, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 1>;
constexpr auto slope = xg::input<"slope", double, 1, 2>;

}   // namespace

TEST_CASE("each worker clips its gradients by their global norm in the program, as in front of SyncReplicasOptimizer") {
    auto const [da, db] = xg::clip_by_global_norm(xg::compute_gradients(loss, a, b), 1_c);
    auto train = xg::apply_gradients<xg::gating::graph>(
        xg::gradient_descent{.learning_rate = 1}, loss, xg::with_variable(da, a), xg::with_variable(db, b));
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    decltype(replicas)::replay replay(replicas);
    replay.compute(0, ga = list{3, 0}, gb = 4.);       // norm 5
    replay.compute(1, ga = list{0, 0.25}, gb = 0.5);   // below 1
    replay.push(0), replay.push(1);
    replay.update();
    CHECK(train.value(a)[0] == doctest::Approx(-0.3).epsilon(1e-15));
    CHECK(train.value(a)[1] == doctest::Approx(-0.125).epsilon(1e-15));
    CHECK(train.value(b)() == doctest::Approx(-0.65).epsilon(1e-15));
}

TEST_CASE("variables are bounded behind the update of a replicated trainer, as TensorFlow's VariableClippingOptimizer") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::gradient_descent{.learning_rate = 1}, xg::max_variable_norm{2.5}));
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    replicas.run([](auto& worker) { worker(ga = list{3. + worker.index(), 4. + worker.index()}, gb = 1.); });   // the mean: 3.5, 4.5
    double const norm = std::hypot(3.5, 4.5);
    CHECK(train.value(a)[0] == doctest::Approx(-3.5 * 2.5 / norm).epsilon(1e-15));
    CHECK(train.value(a)[1] == doctest::Approx(-4.5 * 2.5 / norm).epsilon(1e-15));
    CHECK(train.value(b)() == -1);
    auto table = xg::minimize<xg::gating::graph>(xg::sum(xg::gather(rows, ids) * slope),
        xg::chain(xg::gradient_descent{.learning_rate = 1}, xg::max_column_norm{5}, xg::on_all_rows{}));
    table.assign(rows, xg::array(list{4, 6, 0, 0, 4, 8}.data(), 3, 2));
    xg::sync_replicas more(table, {.workers = 2, .initial_tokens = 0});
    more.run([](auto& worker) {
        std::vector<std::int32_t> const row{worker.index()};
        list const one{worker.index() == 0 ? 1. : -0., 0};
        worker(ids = row, slope = xg::array(one.data(), 1, 2));
    });
    CHECK(table.value(rows)(0, 0) == 3);   // the columns were 3, 0, 4 and 6, 0, 8
    CHECK(table.value(rows)(0, 1) == 3);
    CHECK(table.value(rows)(2, 0) == 4);
    CHECK(table.value(rows)(2, 1) == 4);
}

TEST_CASE("a gradient that only some workers have is averaged over these, by the accumulators of faithful replicas") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1});
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .replicas_to_aggregate = 1, .initial_tokens = 0});
    decltype(replicas)::replay replay(replicas);
    replay.compute(0, ga = list{1, 2}, gb = 8.);
    replay.compute(1, ga = list{3, 6}, gb = 100.);
    CHECK(replay.push(0, a));
    CHECK(replay.push(0, b));
    CHECK(replay.push(1, a));
    replay.skip(1, b);   // None
    CHECK(test::message_of<xg::value_error>([&] { replay.skip(1, b); }) ==
          "xgrad: sync replicas: worker 1 cannot compute or push a gradient now");
    CHECK(replay.num_accumulated(a) == 2);
    CHECK(replay.num_accumulated(b) == 1);
    replay.update();
    CHECK(train.value(a)[0] == -2);
    CHECK(train.value(a)[1] == -4);
    CHECK(train.value(b)() == -8);
    CHECK(replay.begin(0));
    CHECK(replay.begin(1));
    replay.compute(1, ga = list{1, 1}, gb = 1.);
    replay.skip(1, b);
    CHECK(test::message_of<xg::value_error>([&] { replay.skip(1, b); }) ==
          "xgrad: sync replicas: worker 1 has pushed the gradient of update 1 already");
    replay.push(1, a);
    CHECK_FALSE(replay.can_update());   // no worker has given b
}
TEST_CASE("a gradient that only some workers give: threads of faithful replicas; where no update can come, the variable is named") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1});
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 3, .replicas_to_aggregate = 2, .initial_tokens = 0});
    replicas.run([&](auto& worker) {
        bool const refused = worker.index() == 2;
        if (refused) CHECK_THROWS_AS(worker.without(a, b)(ga = std::vector<double>{1}, gb = 1.), xg::shape_error);   // forgotten then
        if (worker.index() != 1) worker(ga = list{2, 4}, gb = 6.);
        else worker.without(b)(ga = list{2, 4}, gb = 1000.);
    });
    CHECK(train.value(a)[0] == -2);
    CHECK(train.value(b)() == -6);

    auto const says = [&](auto const& work) { return test::message_of<xg::worker_error>([&] { replicas.run(work); }); };
    CHECK(says([&](auto& worker) {
        worker.without(b)(ga = list{1, 1}, gb = 1.);
    })
              .ends_with("all workers wait, and no update can come: of \"b\" there are 0 of 2 gradients; "
                         "worker.without(v) has omitted the others"));
    // who ends gives its token to those who wait, and these end, too: then no update comes, and nothing is wrong
    auto const steps = train.global_step();
    replicas.run([&](auto& worker) {
        if (worker.index() < 2) worker.without(b)(ga = list{1, 1}, gb = 1.);
    });
    CHECK(train.global_step() == steps);
}
