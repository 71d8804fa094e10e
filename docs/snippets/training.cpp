// SPDX-License-Identifier: MIT
// The programs of docs/tutorial.md, second half: wide & deep, schedules, gradients in the user's hands, loops of one's own.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/kernels/update.hpp>
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
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

bool good = true;
void expect(bool held, char const* what) {
    if (!held) std::printf("not as the text says: %s\n", what);
    good = good && held;
}

namespace ranker {

// [wide and deep]
inline constexpr xg::dim batch{"batch"};
constexpr auto words = xg::input<"words", std::int32_t, batch, 6>;    // hashed features of a row
constexpr auto user = xg::input<"user", std::int32_t, batch>;
constexpr auto numbers = xg::input<"numbers", float, batch, 4>;
constexpr auto clicked = xg::input<"clicked", float, batch>;

constexpr auto weights = xg::variable<"wide/w", float, 1000>;
constexpr auto bias = xg::variable<"wide/b", float>;
constexpr auto wide = xg::embedding_bag(weights, words) + bias;       // [batch]: a weight for each feature, summed

constexpr auto who = xg::nn::embedding<"user", 500, 8>(user);         // [batch, 8]
constexpr auto hidden = xg::relu(xg::nn::dense<"h1", 16>(xg::concat<1>(who, numbers)));
constexpr auto deep = xg::squeeze<1>(xg::nn::dense<"h2", 1>(hidden)); // [batch]

constexpr auto logit = wide + deep;
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logit, clicked));
// [/wide and deep]

void run() {
    // [two rules]
    auto train = xg::minimize(loss,
                              xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.01}, weights, bias),
                              xg::param_group(xg::adagrad{.learning_rate = 0.02}));   // all others
    // [/two rules]
    train.initialize(xg::glorot_uniform{.seed = 2});
    std::mt19937 random(3);
    std::vector<std::int32_t> w(32 * 6), u(32);
    std::vector<float> n(32 * 4), c(32);
    float first = 0, last = 0;
    for (int step = 0; step < 300; ++step) {
        for (auto& id : w) id = static_cast<std::int32_t>(random() % 50);
        for (auto& id : u) id = static_cast<std::int32_t>(random() % 500);
        for (auto& x : n) x = static_cast<float>(random() % 100) / 50.0f - 1.0f;
        for (std::size_t i = 0; i < 32; ++i) {
            int even = 0;
            for (std::size_t k = 0; k < 6; ++k) even += w[6 * i + k] % 2 == 0;
            c[i] = even > 2 ? 1.0f : 0.0f;
        }
        float const value = train(words = xg::array(w.data(), 32, 6), user = u, numbers = xg::array(n.data(), 32, 4), clicked = c);
        if (step == 0) first = value;
        last = value;
    }
    expect(last < 0.9f * first, "wide & deep learns");

    // [bad index]
    u[7] = 500;   // one beyond the table
    try {
        train(words = xg::array(w.data(), 32, 6), user = u, numbers = xg::array(n.data(), 32, 4), clicked = c);
    } catch (xg::value_error const& e) {
        std::puts(e.what());   // xgrad: input "user": index 500 at offset 7 is out of range [0, 500)
    }
    // [/bad index]
}

}   // namespace ranker

namespace clipped {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 3, 1>;
constexpr auto b = xg::variable<"b", float, 1>;
constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, w) + b), y));

// [clip]
constexpr auto limit = xg::input<"limit", float>;
constexpr auto gradients = xg::compute_gradients(loss, w, b);   // a std::tuple of expressions
constexpr auto dw = std::get<0>(gradients);
constexpr auto db = std::get<1>(gradients);
constexpr auto norm = xg::sqrt(xg::sum(xg::square(dw)) + xg::sum(xg::square(db)));
constexpr auto factor = limit / xg::maximum(norm, limit);
// [/clip]

void run() {
    // [apply]
    auto train = xg::apply_gradients(xg::momentum{.learning_rate = 0.05, .momentum = 0.9}, loss,
                                     xg::with_variable(factor * dw, w), xg::with_variable(factor * db, b));
    // [/apply]
    std::vector<float> xs, ys;
    for (int i = 0; i < 24; ++i) {
        auto const t = static_cast<float>(i);
        xs.insert(xs.end(), {std::sin(t), std::cos(2 * t), std::sin(3 * t)});
        ys.push_back(2 * std::sin(t) - std::cos(2 * t) + 0.5f);
    }
    float value = 1;
    for (int step = 0; step < 500; ++step) value = train(x = xg::array(xs.data(), 24, 3), y = ys, limit = 1.0f);
    expect(value < 1e-3f, "clipped gradients fit");

    // [clip function]
    constexpr auto clipped = xg::clip_by_global_norm(gradients, limit);
    auto shorter = xg::apply_gradients(xg::momentum{.learning_rate = 0.05, .momentum = 0.9}, loss,
                                       xg::with_variable(std::get<0>(clipped), w), xg::with_variable(std::get<1>(clipped), b));
    // [/clip function]
    for (int step = 0; step < 500; ++step) value = shorter(x = xg::array(xs.data(), 24, 3), y = ys, limit = 1.0f);
    expect(value < 1e-3f, "gradients clipped by the function fit");

    // [penalty]
    constexpr auto penalty = xg::sum(xg::square(xg::gradient_of(loss, x)));   // how steep the loss is in its input
    auto smooth = xg::minimize(loss + 0.01_c * penalty, xg::adam{.learning_rate = 0.05});
    // [/penalty]
    smooth.initialize(xg::glorot_uniform{.seed = 4});
    float before = 0, after = 0;
    for (int step = 0; step < 200; ++step) {
        after = smooth(x = xg::array(xs.data(), 24, 3), y = ys);
        if (step == 0) before = after;
    }
    expect(after < before, "a loss with a gradient in it goes down");
}

}   // namespace clipped

namespace newton {

// [newton]
constexpr auto x = xg::input<"x", double>;
constexpr auto f = xg::exp(x) - 3_c * x;
constexpr auto slope = xg::gradient_of(f, x);
constexpr auto curvature = xg::gradient_of(slope, x);

double minimum() {
    xg::function step{xg::outputs(slope, curvature)};   // no variables, so no owner
    double at = 0;
    for (int i = 0; i < 8; ++i) {
        auto const [s, c] = step(x = at);
        at -= s / c;
    }
    return at;   // log 3
}
// [/newton]

}   // namespace newton

namespace own_loop {

// [own loop]
inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", float, rows, 2>;
constexpr auto y = xg::input<"y", float, rows>;
constexpr auto w = xg::variable<"w", float, 2, 1>;
constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, w)), y));

float fit(float const* points, float const* targets, std::size_t n) {
    xg::variables model{loss};
    model.initialize(xg::glorot_uniform{.seed = 5});
    xg::function evaluate{xg::outputs(loss, xg::gradient_of(loss, w)), model};
    for (int step = 0; step < 100; ++step) {
        auto const [value, gradient] = evaluate(x = xg::array(points, n, 2), y = xg::array(targets, n));
        auto weights = model.value(w);   // a view of the variable itself
        for (std::int64_t i = 0; i < weights.size(); ++i) weights[i] -= 0.3f * gradient[i];
        if (value < 1e-8f) break;
    }
    return model.value(w)(0, 0);
}
// [/own loop]

// [rule on arrays]
void adam_on_arrays(float* parameter, float const* gradient, std::int64_t n) {
    xg::adam const rule{.learning_rate = 0.01};
    std::vector<float> m(static_cast<std::size_t>(n)), v(m.size());
    float* slots[]{m.data(), v.data()};
    double powers[xg::power_count<xg::adam>];
    xg::init_powers_of(rule, powers);
    for (std::int64_t step = 0; step < 10; ++step) {
        xg::kernels::update_dense<xg::adam>(rule.prepare<float>(step, powers), parameter, gradient, slots, n);
        xg::advance_powers_of(rule, powers, step);
    }
}
// [/rule on arrays]

void run() {
    std::vector<float> xs, ys;
    for (int i = 0; i < 40; ++i) {
        auto const t = static_cast<float>(i);
        xs.insert(xs.end(), {std::sin(t), std::cos(t)});
        ys.push_back(2 * std::sin(t) - std::cos(t));
    }
    expect(std::abs(fit(xs.data(), ys.data(), ys.size()) - 2.0f) < 1e-3f, "the loop finds the weights");
    std::vector<float> parameter(5, 1.0f), gradient(5, 0.5f);
    adam_on_arrays(parameter.data(), gradient.data(), 5);
    expect(std::abs(parameter[0] - 0.9f) < 1e-5f, "Adam moves by the rate in each step");
}

}   // namespace own_loop

namespace schedules {

constexpr auto w = xg::variable<"w", float>;
constexpr auto loss = xg::square(w - 1_c);

// [own schedule]
struct warm_up {
    double rate, steps;
    double operator()(std::int64_t step) const { return rate * std::min(1.0, static_cast<double>(step + 1) / steps); }
};
// [/own schedule]

void run() {
    // [schedule]
    auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::exponential_decay{.learning_rate = 0.1, .decay_steps = 100, .decay_rate = 0.9}});
    train();
    train.rule().learning_rate = 0.05;                                // between two steps, to anything
    train.rule().learning_rate = warm_up{.rate = 0.1, .steps = 20};   // a function of the step
    // [/schedule]
    float value = 1;
    for (int i = 0; i < 300; ++i) value = train();
    expect(value < 1e-3f, "schedules train");
}

}   // namespace schedules

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
    double const scale = train.optimizer().powers.at[0];                    // "loss_scale"; behind it "good_steps" and "applied_steps"
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
    ranker::run();
    clipped::run();
    expect(std::abs(newton::minimum() - std::log(3.0)) < 1e-12, "Newton finds log 3");
    own_loop::run();
    schedules::run();
    parts::run();
    parts::run_sharpness();
    parts::run_idle_rows();
    parts::run_interleaved_rows();
    parts::run_scaled();
    parts::run_stored();
    fit_by_lbfgs::run();
    return good ? 0 : 1;
}
