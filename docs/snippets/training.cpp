// SPDX-License-Identifier: MIT
// The programs of docs/training.md.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/train/calibrate.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/check_finite.hpp>
#include <xgrad/train/ggt.hpp>
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

bool good = true;
void expect(bool held, char const* what) {
    if (!held) std::printf("not as the text says: %s\n", what);
    good = good && held;
}

namespace parts {

// [parts]
inline constexpr xg::dim batch{"batch"};
constexpr auto words = xg::input<"words", std::int32_t, batch, 3>;
constexpr auto wanted = xg::input<"wanted", float, batch, 2>;
constexpr auto table = xg::variable<"table", float, 100, 4>;
constexpr auto known = xg::non_trainable<"known", float, 100, 4>;     // frozen: no group names it
constexpr auto w = xg::variable<"w", float, 4, 2>;
constexpr auto b = xg::variable<"b", float, 2>;
constexpr auto average = xg::non_trainable<"average", float, 4, 2>;
constexpr auto rows = xg::embedding_bag(table, words) + xg::embedding_bag(known, words);
constexpr auto loss = xg::mean(xg::square(xg::matmul(rows, w) + b - wanted));
// [/parts]

void run() {
    std::vector<float> const given(100 * 4, 0.5f);
    // [groups]
    auto train = xg::minimize(loss,
        xg::param_group(xg::adagrad{.learning_rate = 0.1}, table),
        xg::param_group(xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = 0.01})),   // all other trainable ones: w, b
        xg::assign(average, 0.9_c * average + 0.1_c * xg::updated(w)));
    // [/groups]
    // [initial values]
    train.initialize(xg::he_normal{.seed = 1},                              // table and w; b, a bias, is 0
        xg::initial(xg::random_uniform{.range = 0.01}, table),
        xg::initial(xg::array(given.data(), 100, 4), known));               // state begins at 0 unless it is named
    // [/initial values]
    std::vector<std::int32_t> const in{1, 2, 3, 4, 5, 99};
    std::vector<float> const out{1, 2, 3, 4};
    float const first = train(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    expect(train.value(known)[7] == 0.5f && train.value(average)[0] == 0.1f * train.value(w)[0], "frozen and averaged");
    float last = first;
    for (int k = 0; k < 200; ++k) last = train(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    expect(last < 0.5f * first, "groups train");
}

void run_sharpness() {
    // [sam]
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::decoupled_decay{.weight_decay = 1e-4}, xg::momentum{.learning_rate = 0.05}));
    train.initialize(xg::he_normal{.seed = 1});
    xg::sam step{train, {.rho = 0.05}};
    // [/sam]
    std::vector<std::int32_t> const in{1, 2, 3, 4, 5, 99};
    std::vector<float> const out{1, 2, 3, 4};
    // [sam step]
    float const value = step(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    // [/sam step]
    float last = value;
    for (int k = 0; k < 200; ++k) last = step(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    expect(last < 0.5f * value, "sharpness-aware steps train");
}

void run_idle_rows() {
    std::vector<std::int32_t> const in{1, 2, 3, 4, 5, 99};
    std::vector<float> const out{1, 2, 3, 4};
    // [catch up]
    auto train = xg::minimize(loss, xg::chain(xg::l2_regularization{1e-3}, xg::momentum{.learning_rate = 0.02, .momentum = 0.9}));
    xg::catch_up step{train};
    // [/catch up]
    train.initialize(xg::he_normal{.seed = 1});
    float const start = train.value(table)[4 * 50];
    // [catch up step]
    for (int k = 0; k < 200; ++k) step(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    float const end = train.value(table)[4 * 50];   // brings all rows up to date
    // [/catch up step]
    expect(std::abs(end) < std::abs(start) && end != 0, "idle rows decay");
}

void run_interleaved_rows() {
    std::vector<std::int32_t> const in{1, 2, 3, 4, 50, 99};
    std::vector<float> const out{1, 2, 3, 4};
    // [interleaved rows]
    auto train = xg::minimize(loss, xg::lazy_adam{.learning_rate = 0.02});
    xg::interleaved_rows step{train};
    // [/interleaved rows]
    train.initialize(xg::he_normal{.seed = 1});
    float const start = train.value(table)(50, 0);
    // [interleaved rows step]
    for (int k = 0; k < 200; ++k) step(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    float const learned = train.value(table)(50, 0);   // all rows are copied back, and the next step copies them again
    // [/interleaved rows step]
    expect(learned != start, "rows beside their slots learn");
}

void run_scaled() {
    // [loss scale]
    auto train = xg::minimize(loss, xg::chain(xg::dynamic_loss_scale{.initial = 65536, .period = 1000}, xg::clip_by_global_norm(1), xg::adam{}));
    // [/loss scale]
    train.initialize(xg::he_normal{.seed = 1});
    std::vector<std::int32_t> const in{1, 2, 3, 4, 5, 99};
    std::vector<float> const out{1, 2, 3, 4};
    float const first = train(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    float last = first;
    for (int k = 0; k < 1000; ++k) last = train(words = xg::array(in.data(), 2, 3), wanted = xg::array(out.data(), 2, 2));
    // [loss scale now]
    double const scale = train.optimizer().powers.at[0];                    // optimizer scalars: loss_scale, good_steps, applied_steps
    // [/loss scale now]
    expect(last < first && scale == 2 * 65536 && train.optimizer().powers.at[2] == 1001, "a scaled loss trains");
}

void run_stored() {
    // [storage]
    auto const split = xg::master_weights<xg::bfloat16>(xg::adam{});              // of a variable of bfloat16
    auto const small = xg::store_slots<xg::bfloat16>(xg::adam{.beta2 = 0.99});    // of any
    // [/storage]
    constexpr auto v = xg::variable<"v", xg::bfloat16, 3>;
    constexpr auto u = xg::variable<"u", float, 3>;
    auto train = xg::minimize(xg::sum(xg::square(v - u - 1_c)), xg::param_group(split, v), small);
    float const first = train();
    for (int k = 0; k < 100; ++k) train();
    expect(train() < first, "a split variable trains");
}

}   // namespace parts

namespace fit_by_lbfgs {
// [lbfgs]
inline constexpr xg::dim samples{"samples"};
constexpr auto when = xg::input<"when", double, samples>;
constexpr auto measured = xg::input<"measured", double, samples>;
constexpr auto height = xg::variable<"height", double>;
constexpr auto rate = xg::variable<"rate", double>;
constexpr auto loss = xg::mean(xg::square(height * xg::exp(-(rate * when)) - measured));
// [/lbfgs]

void run() {
    std::vector<double> t, m;
    for (int k = 0; k < 20; ++k) {
        t.push_back(0.25 * k);
        m.push_back(3 * std::exp(-0.5 * t.back()));
    }
    // [any]
    xg::any_trainer any = xg::minimize(loss, xg::adam{.learning_rate = 0.05});   // its steps return one number
    xg::any_function predict = xg::function{height * xg::exp(-(rate * when)), any};
    double const first = any({{"when", t}, {"measured", m}});
    std::span<double const> const curve = predict({{"when", t}}).as<double const>();   // valid until the next call
    for (auto const& input : any.inputs()) std::printf("%s\n", input.name.data());
    // [/any]
    expect(std::abs(curve[0] - any.value("height").as<double>()[0]) < 1e-12, "a function by name");
    double after = first;
    for (int step = 0; step < 300; ++step) after = any({{"when", t}, {"measured", m}});
    expect(after < 0.1 * first, "a trainer by name trains");
    {
        auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05});
        // [finite]
        for (int step = 0; step < 100; ++step) {
            train(when = t, measured = m);
            xg::check_finite(train);
        }
        // [/finite]
    }
    // [calibrate]
    auto fit = xg::calibrate(loss, xg::lbfgs{.history = 10});
    fit.value(height)[0] = 1;                                   // where to begin
    xg::calibration_result const r = fit(when = t, measured = m);
    if (!r) std::printf("ended by %s, the largest gradient is %g\n", xg::name_of(r.end).data(), r.gradient_norm);
    // [/calibrate]
    expect(r && std::abs(fit.value(height)[0] - 3) < 1e-5 && std::abs(fit.value(rate)[0] - 0.5) < 1e-5, "calibrated");
    // [watched]
    fit.watched([](xg::calibration_result const& now) { return now.loss > 1e-3; },   // false: enough
        when = t, measured = m);
    // [/watched]
    // [bounds]
    fit.bounds(rate, 0, 10);   // every element of rate
    auto const best = fit(when = t, measured = m);
    auto const sure = fit.covariance(when = t, measured = m);                 // the inverse Hessian
    double const scale = 2 * best.loss / static_cast<double>(t.size() - 2);   // a mean of squares, two variables
    std::printf("rate %.4f +- %.4f\n", fit.value(rate)[0], sure.standard_errors(rate, scale)[0]);
    // [/bounds]
    expect(sure.standard_errors(rate)[0] > 0, "a rate that the data say");
    char const* const path = "ggt_snippet.safetensors";
    // [ggt]
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 0.02});
    xg::ggt step{train, {.window = 5}};
    // [/ggt]
    train.value(height)[0] = 1;
    // [ggt step]
    double const value = step(when = t, measured = m);
    xg::save(train, path, {}, step.window);      // the trainer, and the window
    xg::restore(train, path, step.window);
    // [/ggt step]
    std::remove(path);
    double last = value;
    for (int k = 0; k < 500; ++k) last = step(when = t, measured = m);
    expect(last < 0.01 * value, "a window of gradients trains");
}

}   // namespace fit_by_lbfgs

}   // namespace

int main() {
    parts::run();
    parts::run_sharpness();
    parts::run_idle_rows();
    parts::run_interleaved_rows();
    parts::run_scaled();
    parts::run_stored();
    fit_by_lbfgs::run();
    return good ? 0 : 1;
}
