// SPDX-License-Identifier: MIT
// The program of docs/tutorial.md: its blocks, top to bottom, and nothing else (tools/check_docs compares them).

// [include]
#include <xgrad/all.hpp>
#include <xgrad/kernels/updates/update.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;
// [/include]

// [line]
inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", float, rows>;
constexpr auto y = xg::input<"y", float, rows>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::square(slope * x + offset - y));
// [/line]

// [fit line]
void fit(std::vector<float> const& inputs, std::vector<float> const& targets) {
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.3});
    for (int step = 0; step < 200; ++step) train(x = inputs, y = targets);
    std::printf("y = %.3f x + %.3f\n", train.value(slope)(), train.value(offset)());
}
// [/fit line]

// [network]
inline constexpr xg::dim batch{"batch"};
constexpr auto point = xg::input<"point", float, batch, 2>;
constexpr auto label = xg::input<"label", std::int32_t, batch>;

constexpr auto hidden = xg::tanh(xg::nn::dense<"hidden", 32>(point));
constexpr auto logits = xg::nn::dense<"out", 3>(hidden);
constexpr auto cross_entropy = xg::mean(xg::sparse_softmax_cross_entropy(logits, label));
// [/network]

// [start network]
auto make_network() {
    auto train = xg::minimize(cross_entropy, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1});
    train.reserve(batch = 50);
    return train;
}
// [/start network]

// [train network]
template<class Train>
float epoch(Train& train, std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    constexpr std::size_t size = 50;
    float sum = 0;
    for (std::size_t at = 0; at + size <= labels.size(); at += size)
        sum += train(point = xg::array(&points[2 * at], size, 2), label = std::span(&labels[at], size));
    return sum / static_cast<float>(labels.size() / size);
}
// [/train network]

// [predict]
template<class Owner>
double accuracy(Owner& owner, std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    xg::function scores{logits, owner};
    auto const z = scores(point = xg::array(points, labels.size(), 2));   // [batch, 3], a view of the function's memory
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        float const* row = &z(i, 0);
        right += std::max_element(row, row + 3) - row == labels[i];
    }
    return static_cast<double>(right) / static_cast<double>(labels.size());
}
// [/predict]

// [save]
void train_and_save(std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    auto train = make_network();
    for (int e = 0; e < 300; ++e) epoch(train, points, labels);
    std::printf("accuracy %.3f\n", accuracy(train, points, labels));
    xg::save(train, "spiral.safetensors", {{"made by", "the tutorial"}});
}
// [/save]

// [resume]
void resume(std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    auto train = make_network();
    auto const notes = xg::restore(train, "spiral.safetensors");
    std::printf("made by %s, after %d steps\n", notes.at("made by").c_str(), static_cast<int>(train.global_step()));
    epoch(train, points, labels);
}
// [/resume]

// [only weights]
double accuracy_of_file(std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    xg::variables weights{logits};
    xg::restore(weights, "spiral.safetensors", xg::variables_only);
    return accuracy(weights, points, labels);
}
// [/only weights]

// [wrong checkpoint]
void restore_into_another() {
    auto other = xg::minimize(cross_entropy, xg::gradient_descent{.learning_rate = 0.01});
    try {
        xg::restore(other, "spiral.safetensors");
    } catch (xg::checkpoint_error const& e) {
        std::puts(e.what());   // and `other` is what it was
    }
}
// [/wrong checkpoint]

// [wide and deep]
constexpr auto words = xg::input<"words", std::int32_t, batch, 6>;    // hashed features of a row
constexpr auto user = xg::input<"user", std::int32_t, batch>;
constexpr auto numbers = xg::input<"numbers", float, batch, 4>;
constexpr auto clicked = xg::input<"clicked", float, batch>;

constexpr auto weights = xg::variable<"wide/w", float, 1000>;
constexpr auto bias = xg::variable<"wide/b", float>;
constexpr auto wide = xg::embedding_bag(weights, words) + bias;       // [batch]: a weight for each feature, summed

constexpr auto who = xg::nn::embedding<"user", 500, 8>(user);         // [batch, 8]
constexpr auto layer = xg::relu(xg::nn::dense<"h1", 16>(xg::concat<1>(who, numbers)));
constexpr auto deep = xg::squeeze<1>(xg::nn::dense<"h2", 1>(layer));  // [batch]

constexpr auto logit = wide + deep;
constexpr auto click_loss = xg::mean(xg::sigmoid_cross_entropy(logit, clicked));
// [/wide and deep]

// [two rules]
auto make_ranker() {
    auto train = xg::minimize(click_loss,
                              xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.01}, weights, bias),
                              xg::param_group(xg::adagrad{.learning_rate = 0.02}));   // all others
    train.initialize(xg::glorot_uniform{.seed = 2});
    return train;
}
// [/two rules]

// [bad index]
void look_beyond_the_table() {
    auto train = make_ranker();
    std::vector<std::int32_t> w(32 * 6, 17), u(32, 3);
    std::vector<float> n(32 * 4, 0.5f), c(32, 1.0f);
    u[7] = 500;   // one beyond the table
    try {
        train(words = xg::array(w, 32, 6), user = u, numbers = xg::array(n, 32, 4), clicked = c);
    } catch (xg::value_error const& e) {
        std::puts(e.what());   // xgrad: input "user": index 500 at offset 7 is out of range [0, 500)
    }
}
// [/bad index]

// [own schedule]
struct warm_up {
    double rate, steps;
    double operator()(std::int64_t step) const { return rate * std::min(1.0, static_cast<double>(step + 1) / steps); }
};
// [/own schedule]

// [schedule]
void fit_by_schedules(std::vector<float> const& inputs, std::vector<float> const& targets) {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::exponential_decay{.learning_rate = 0.1, .decay_steps = 100, .decay_rate = 0.9}});
    for (int step = 0; step < 100; ++step) train(x = inputs, y = targets);
    train.rule().learning_rate = 0.05;                                // between two steps, to anything
    for (int step = 0; step < 100; ++step) train(x = inputs, y = targets);
    train.rule().learning_rate = warm_up{.rate = 0.1, .steps = 20};   // a function of the step
    for (int step = 0; step < 300; ++step) train(x = inputs, y = targets);
    std::printf("by schedules %.2f and %.2f\n", train.value(slope)(), train.value(offset)());
}
// [/schedule]

// [clip]
constexpr auto limit = xg::input<"limit", float>;
constexpr auto gradients = xg::compute_gradients(loss, slope, offset);   // a std::tuple of expressions
constexpr auto d_slope = std::get<0>(gradients);
constexpr auto d_offset = std::get<1>(gradients);
constexpr auto norm = xg::sqrt(xg::square(d_slope) + xg::square(d_offset));
constexpr auto factor = limit / xg::maximum(norm, limit);
// [/clip]

// [apply]
auto make_clipped() {
    return xg::apply_gradients(xg::momentum{.learning_rate = 0.05, .momentum = 0.9}, loss,
                               xg::with_variable(factor * d_slope, slope), xg::with_variable(factor * d_offset, offset));
}
// [/apply]

// [clip function]
constexpr auto clipped = xg::clip_by_global_norm(gradients, limit);

void fit_clipped(std::vector<float> const& inputs, std::vector<float> const& targets) {
    auto by_hand = make_clipped();
    auto shorter = xg::apply_gradients(xg::momentum{.learning_rate = 0.05, .momentum = 0.9}, loss,
                                       xg::with_variable(std::get<0>(clipped), slope), xg::with_variable(std::get<1>(clipped), offset));
    for (int step = 0; step < 500; ++step) {
        by_hand(x = inputs, y = targets, limit = 1.0f);
        shorter(x = inputs, y = targets, limit = 1.0f);
    }
    std::printf("clipped %.2f and %.2f\n", by_hand.value(slope)(), shorter.value(slope)());
}
// [/clip function]

// [penalty]
constexpr auto penalty = xg::sum(xg::square(xg::gradient_of(loss, x)));   // how steep the loss is in its input

void fit_smoothly(std::vector<float> const& inputs, std::vector<float> const& targets) {
    auto smooth = xg::minimize(loss + 0.01_c * penalty, xg::adam{.learning_rate = 0.05});
    for (int step = 0; step < 500; ++step) smooth(x = inputs, y = targets);
    std::printf("smoothly %.2f\n", smooth.value(slope)());
}
// [/penalty]

// [newton]
constexpr auto z = xg::input<"z", double>;
constexpr auto f = xg::exp(z) - 3_c * z;
constexpr auto first = xg::gradient_of(f, z);
constexpr auto second = xg::gradient_of(first, z);

double minimum() {
    xg::function derivatives{xg::outputs(first, second)};   // no variables, so no owner
    double at = 0;
    for (int i = 0; i < 8; ++i) {
        auto const [d, dd] = derivatives(z = at);
        at -= d / dd;
    }
    return at;   // log 3
}
// [/newton]

// [own loop]
float fit_by_hand(std::vector<float> const& inputs, std::vector<float> const& targets) {
    xg::variables model{loss};
    xg::function evaluate{xg::outputs(loss, d_slope, d_offset), model};
    for (int step = 0; step < 200; ++step) {
        auto const [value, ds, d_o] = evaluate(x = inputs, y = targets);
        model.value(slope)() -= 0.3f * ds;   // a view of the variable itself
        model.value(offset)() -= 0.3f * d_o;
        if (value < 1e-8f) break;
    }
    return model.value(slope)();
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

// [tower]
constexpr auto stacked = xg::variable<"stacked/w", float, 6, 16, 16>;   // row k: the weights of layer k
struct residual_layer : xg::region {
    static constexpr auto value(auto h, auto w) { return h + xg::tanh(xg::matmul(h, w)); }
};
constexpr auto tower = xg::layers<6, residual_layer>(xg::nn::dense<"in", 16>(point), stacked);
constexpr auto tower_loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::nn::dense<"classes", 3>(tower), label));

void fit_tower(std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    auto train = xg::minimize(tower_loss, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::variance_scaling{.scale = 6}, stacked));
    float const before = epoch(train, points, labels);
    float after = 0;
    for (int e = 0; e < 100; ++e) after = epoch(train, points, labels);
    std::printf("six layers: loss %.2f, then %.2f\n", before, after);
}
// [/tower]

// [length]
inline constexpr xg::dim days{"days"};
constexpr auto prices = xg::input<"prices", float, days>;
constexpr auto length = xg::input<"length", std::int32_t>;
constexpr auto rate = xg::input<"rate", float>;
struct smooth : xg::region {
    static constexpr auto value(auto average, auto price) { return xg::carry(average + rate * (price - average)); }
};
constexpr auto average = std::get<0>(xg::scan<smooth>(xg::carry(xg::constant<float, 0>).turns(length), prices));

void average_three_days() {
    std::vector<float> const five_days{1, 1, 1, NAN, NAN};   // rows after the length are not read
    xg::function f{xg::outputs(average, xg::gradient_of(average, rate))};
    auto const [value, by_rate] = f(prices = five_days, length = 3, rate = 0.5f);
    std::printf("average of three days %.3f, its slope %.2f\n", value, by_rate);
}
// [/length]

// [solver]
struct not_solved : xg::region {
    static constexpr auto value(auto root) { return xg::greater(xg::abs(root * root - z), 1e-12_c * z); }
};
struct newton_step : xg::region {
    static constexpr auto value(auto root) { return xg::carry((root + z / root) * 0.5_c); }
};
constexpr auto root = std::get<0>(xg::while_loop<not_solved, newton_step, 50>(xg::carry(xg::constant<double, 1>)));

void solve() {
    xg::function f{xg::outputs(root, xg::gradient_of(root, z))};
    auto const [value, by_z] = f(z = 2.0);
    std::printf("root of 2: %.4f, its slope %.4f\n", value, by_z);   // 1 / (2 root)
}
// [/solver]

// [uncertainty]
inline constexpr xg::dim samples{"samples"};
constexpr auto seconds = xg::input<"seconds", double, samples>;
constexpr auto level = xg::input<"level", double, samples>;
constexpr auto decay = xg::input<"decay", double, 2>;   // start and rate
constexpr auto expected = xg::slice<0, 0, 1>(decay) * xg::exp(-xg::slice<0, 1, 2>(decay) * seconds);
constexpr auto mismatch = xg::sum(xg::square((level - expected) / 0.1_c)) / 2_c;   // a level has an error of 0.1
constexpr auto curvature = xg::hessian(mismatch, decay);
constexpr auto best = decay - xg::solve(curvature, xg::gradient_of(mismatch, decay));   // a step of Newton's method
constexpr auto errors = xg::sqrt(xg::diag_part(xg::inverse(curvature)));

void fit_decay() {
    std::vector<double> times, levels, at{2, 0.4};
    for (int i = 0; i < 20; ++i) {
        times.push_back(0.25 * i);
        levels.push_back(2 * std::exp(-0.5 * times.back()) + (i % 2 == 0 ? 0.1 : -0.1));
    }
    xg::function newton{best};
    for (int step = 0; step < 10; ++step) {
        auto const next = newton(seconds = times, level = levels, decay = at);
        at.assign(next.begin(), next.end());
    }
    xg::function f{errors};
    auto const error = f(seconds = times, level = levels, decay = at);
    std::printf("start %.2f +- %.2f, rate %.2f +- %.2f\n", at[0], error[0], at[1], error[1]);
}
// [/uncertainty]

// [main]
int main() {
    std::vector<float> inputs, targets, points;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 16; ++i) {   // points of y = 3 x - 1
        inputs.push_back(static_cast<float>(i) / 8.0f - 1.0f);
        targets.push_back(3.0f * inputs.back() - 1.0f);
    }
    for (int i = 0; i < 300; ++i) {   // three arms of a spiral
        float const t = static_cast<float>(i / 3) / 100.0f, angle = 4.0f * t + 2.0944f * static_cast<float>(i % 3);
        points.insert(points.end(), {t * std::cos(angle), t * std::sin(angle)});
        labels.push_back(i % 3);
    }
    fit(inputs, targets);
    train_and_save(points, labels);
    resume(points, labels);
    std::printf("from the file %.3f\n", accuracy_of_file(points, labels));
    restore_into_another();
    look_beyond_the_table();
    fit_by_schedules(inputs, targets);
    fit_clipped(inputs, targets);
    fit_smoothly(inputs, targets);
    std::printf("log 3 = %.4f, the slope by hand %.2f\n", minimum(), fit_by_hand(inputs, targets));
    fit_tower(points, labels);
    average_three_days();
    solve();
    fit_decay();
    float parameter[] = {1, 1, 1, 1, 1}, gradient[] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    adam_on_arrays(parameter, gradient, 5);
    std::printf("ten steps of adam: %.2f\n", parameter[0]);
}
// [/main]
