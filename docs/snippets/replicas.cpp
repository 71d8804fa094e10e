// SPDX-License-Identifier: MIT
// The code of docs/replicas.md.
#include "one_layer.hpp"

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/replicas.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <functional>
#include <thread>
#include <vector>

using namespace xg::literals;
using namespace std::chrono_literals;

static void averaged() {
    std::vector<float> const images(4 * 8, 0.5f), labels(4, 1.f);
    // [accumulate]
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::gradient_descent{.learning_rate = 0.1});
    xg::conditional_accumulator<float> sums({.name = "w", .shape = {8}});
    for (int part = 0; part < 4; ++part) {                                        // a batch that is too large for one call
        train.compute_gradients(model::x = xg::array(images.data(), 4, 8), model::y = labels);
        sums.apply_grad(train.gradient(model::w), train.global_step());
    }
    auto const mean = sums.take_grad(4);
    std::copy(mean.begin(), mean.end(), train.gradient(model::w).begin());
    train.apply_gradients();
    // [/accumulate]
    CHECK(train.global_step() == 1);
    CHECK(sums.global_step() == 1);
}

static void waiting() {
    auto const report = [](auto const& mean) { CHECK(mean[0] == 2 && mean[1] == 4); };
    // [wait]
    xg::conditional_accumulator<float> sums({.name = "w", .workers = 2});
    std::jthread const chief([&](std::stop_token stop) {
        report(sums.take_grad(2, {.timeout = 10s, .stop = stop}));      // or timeout_error, cancelled_error
    });
    sums.apply_grad(std::vector<float>{3, 5}, 0, 0);                    // as worker 0
    sums.apply_grad(std::vector<float>{1, 3}, 0, 1);                    // as worker 1
    // [/wait]
}

static void rows() {
    // [rows]
    xg::sparse_conditional_accumulator<float> sums({.name = "table", .sort_and_sum = true});
    sums.apply_grad(std::vector<int>{7, 2, 7}, std::vector<float>{1, 5, 2});   // rows of one element: 3 for row 7
    sums.apply_grad(std::vector<int>{7}, std::vector<float>{1});
    auto const mean = sums.take_grad(2);                                       // row 2: 5, row 7: (3 + 1) / 2
    // [/rows]
    CHECK(mean.indices()[0] == 2 && mean.values()[0] == 5);
    CHECK(mean.indices()[1] == 7 && mean.values()[1] == 2);
}

static void replicated() {
    constexpr std::int64_t rows = 10;
    std::vector<float> features(rows * 8), labels(rows);
    for (std::int64_t i = 0; i < rows * 8; ++i) features[static_cast<std::size_t>(i)] = static_cast<float>(i * 7 % 11) / 11;
    // [replicas]
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto replicas = xg::sync_replicas(train, {.workers = 3, .replicas_to_aggregate = 2});   // one backup worker
    auto const report = replicas.run([&](auto& worker) {
        for (int epoch = 0; epoch < 4; ++epoch)
            for (auto const row : xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 7, .epoch = epoch}))
                worker(model::x = xg::array(&features[row * 8], 1, 8), model::y = xg::array(&labels[row], 1));
    });
    for (auto const& w : report.workers)
        std::printf("%lld steps, %lld accepted, %lld too old\n", (long long)w.steps, (long long)w.accepted, (long long)w.dropped);
    // [/replicas]
    CHECK(report.updates == train.global_step() && report.updates > 0);
}

static void with_deadline() {
    constexpr std::int64_t rows = 10;
    auto const features = std::make_shared<std::vector<float>>(rows * 8, 0.5f);
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto const step = [features](auto& worker, std::int64_t row) {
        float const label = 1;
        worker(model::x = xg::array(features->data() + row * 8, 1, 8), model::y = xg::array(&label, 1));
    };
    // [deadline]
    auto replicas = xg::sync_replicas(train, {.workers = 4, .deadline = 30s, .min_workers = 2});
    auto const report = replicas.run([=](auto& worker) {   // by value: a thread that is left behind keeps what it uses
        for (auto const row : xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 7}))
            step(worker, row);
    });
    // [/deadline]
    CHECK(!report.workers[0].lost && report.updates > 0);
}

struct running_mean {
    float sum = 0;
    int count = 0;
    template<class View>
    void take(View const& view) {
        sum += *view.begin();
        ++count;
    }
};
static void between_updates() {
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::gradient_descent{.learning_rate = 0.1});
    running_mean averages;
    std::string const path = "replicas_snippet.safetensors";
    auto const print = [](xg::sync_report const& now) { CHECK(now.updates >= 0); };
    // [between]
    auto replicas = xg::sync_replicas(train, {.workers = 2, .on_update = [&](std::int64_t step) {
        if (step % 100 == 0) averages.take(train.value(model::w));      // no update before this returns
    }});
    std::jthread const watcher([&](std::stop_token stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(10ms);
            replicas.with_variables([&](auto const& now) { xg::save(now, path); });
            print(replicas.progress());                                 // a report up to now
        }
    });
    // [/between]
    replicas.run([&](auto& worker) {
        float const features[8] = {1, 2, 3}, labels[1] = {1};
        for (int k = 0; k < 300; ++k) worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    });
    CHECK(averages.count >= 2);
}

static void reported() {
    std::vector<float> const features(8, 0.5f), labels(1, 1.f);
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::gradient_descent{.learning_rate = 0.1});
    // [report]
    auto replicas = xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0, .timeline_steps = 8});
    auto const report = replicas.run([&](auto& worker) {
        for (int step = 1; step <= 300; ++step) {
            worker(model::x = xg::array(features.data(), 1, 8), model::y = labels);
            if (worker.index() == 0 && step % 100 == 0) std::puts(xg::to_line(replicas.progress()).c_str());
        }
    });
    std::fputs(xg::to_table(report).c_str(), stdout);
    std::ofstream("workers.svg") << xg::to_svg(replicas.timeline(), {.title = "Two workers"});
    // [/report]
    CHECK(report.updates == 300 && xg::gradients_per_update(report) == 2);
    CHECK(replicas.timeline().workers.size() == 2);
}

static void event_by_event() {
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::gradient_descent{.learning_rate = 0.1});
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    // [replay]
    auto replicas = xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(1, model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));   // worker 1 is the first
    replay.push(1);                                                                           // true: its gradient counts
    bool const goes_on = replay.begin(1);                                                     // false: there is no token
    replay.compute(0, model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    replay.push(0);
    replay.update();                                                                          // the mean of both
    // [/replay]
    CHECK(!goes_on && train.global_step() == 1);
}

static void local_steps() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    // [agn]
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto replicas = xg::agn(train, {.workers = 4, .period = 10});
    auto const report = replicas.run([&](auto& worker) {
        for (int step = 0; step < 35; ++step)
            worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    });                                                   // 12 updates of the centre, and 5 steps of each worker are not used
    // [/agn]
    CHECK(report.updates == 12 && report.workers[3].left == 5 && train.global_step() == 12);
}
static void outer_steps() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adamw{.learning_rate = 0.05f});
    // [diloco]
    auto replicas = xg::diloco(train, {.workers = 4, .period = 100},
        xg::momentum{.learning_rate = 0.7, .momentum = 0.9, .use_nesterov = true});   // which is the default
    // [/diloco]
    replicas.run([&](auto& worker) {
        for (int step = 0; step < 100; ++step) worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    });
    CHECK(replicas.outer().global_step == 1);
}
static void at_once() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adagrad{.learning_rate = 0.05f});
    // [downpour]
    xg::moving_average averages(train, {.decay = 0.99});
    auto replicas = xg::downpour(train, {.workers = 4, .push_period = 2, .pull_period = 2, .staleness = 8, .on_update = std::ref(averages)},
        xg::top_k_compression{.fraction = 0.1});
    // [/downpour]
    auto const report = replicas.run([&](auto& worker) {
        for (int step = 0; step < 10; ++step) worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    });
    // [averages]
    xg::variables evaluated{model::loss};
    averages.copy_to(evaluated);
    // [/averages]
    std::int64_t dropped = 0;
    for (auto const& w : report.workers) dropped += w.dropped;
    CHECK(report.updates + dropped == 20 && evaluated.value(model::w)(0) != 0);
}
static void kept() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto other = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto replicas = xg::agn(train, {.period = 2}), again = xg::agn(other, {.period = 2});
    auto const work = [&](auto& worker) {
        for (int step = 0; step < 4; ++step) worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    };
    replicas.run(work);
    // [kept]
    xg::save(train, "model.safetensors", {}, replicas.worker_state());   // between two runs
    auto state = again.worker_state();                                    // of replicas of another trainer, with the same options
    xg::restore(other, "model.safetensors", state);
    again.set_worker_state(state);                                        // after the trainer is restored
    // [/kept]
    replicas.run(work);
    again.run(work);
    CHECK(other.value(model::w)(0) == train.value(model::w)(0) && train.global_step() == 4);
    std::remove("model.safetensors");
}
static void clipped() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    // [clip]
    auto const [dw] = xg::clip_by_global_norm(xg::compute_gradients(model::loss, model::w), 1_c);   // of all variables
    auto train = xg::apply_gradients<xg::gating::graph>(xg::adam{.learning_rate = 0.05f}, model::loss, xg::with_variable(dw, model::w));
    auto replicas = xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0});
    // [/clip]
    replicas.run([&](auto& worker) { worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1)); });
    CHECK(train.global_step() == 1);
}
static void fewer_bytes() {
    // [compression]
    xg::compressor<float, xg::sign_compression> sender({}, 4);
    auto const message = sender.encode(std::vector<float>{1, -2, 3, -2});   // 5 bytes: 2, and four signs
    std::vector<float> sum(4);
    xg::decode_add<xg::sign_compression, float>(message, sum);              // 2, -2, 2, -2; -1, 0, 1, 0 are left for the next one
    // [/compression]
    CHECK(message.size() == 5 && sum[1] == -2 && sender.residual()[2] == 1);
}

static void faithfully() {
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::gradient_descent{.learning_rate = 0.1});
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    // [faithful]
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2, .replicas_to_aggregate = 1, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(0, model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    replay.push(0, model::w);                               // of one variable; the last one makes the worker wait for a token
    bool const taken = replay.take(model::w);               // the chief takes the mean of this one: there are enough gradients
    replay.apply();                                         // all variables, optimizer scalars and global step
    replay.enqueue_tokens();
    bool const goes_on = replay.begin(0);
    // [/faithful]
    CHECK(taken && goes_on && train.global_step() == 1);
}

int main() {
    local_steps();
    outer_steps();
    at_once();
    kept();
    clipped();
    fewer_bytes();
    replicated();
    with_deadline();
    between_updates();
    std::remove("replicas_snippet.safetensors");
    reported();
    event_by_event();
    faithfully();
    averaged();
    waiting();
    rows();
}
