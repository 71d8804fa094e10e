// SPDX-License-Identifier: MIT
// The statements of docs/concepts.md and docs/design.md, checked by compiling or by running.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/grad/with_jvp.hpp>
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/ops/complex/fft.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

bool good = true;
void expect(bool held, char const* what) {
    if (!held) std::printf("not as the text says: %s\n", what);
    good = good && held;
}

namespace language {

// [identity]
constexpr auto a = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"w", float, 3>;
static_assert(std::is_same_v<decltype(a), decltype(b)>);                       // one name, one variable
static_assert(std::is_same_v<decltype(xg::tanh(a)), decltype(xg::tanh(b))>);   // computed once
static_assert(std::is_empty_v<decltype(xg::tanh(a) + b)>);                     // empty at run time
// [/identity]

// [scope]
using encoder = xg::scope<"encoder">;
constexpr auto kernel = encoder::variable<"kernel", float, 8, 4>;       // its name is "encoder/kernel"
constexpr auto average = encoder::non_trainable<"average", float, 4>;   // minimize leaves it alone unless a group names it
// [/scope]

// [constants]
constexpr auto x = xg::input<"x", float, 3>;
constexpr auto half = 0.5_c * x;                                    // a constant is part of the type ...
static_assert(std::is_same_v<decltype(0.5_c), decltype(0.50_c)>);   // ... keyed by the bits of its value
constexpr auto rate = xg::input<"rate", float>;                     // a number that changes is an input of rank 0
constexpr auto scaled = rate * x;
constexpr auto two = xg::constant<float, 2>;                        // an expression with its own element type
inline constexpr float weights[] = {0.299f, 0.587f, 0.114f};
constexpr auto gray = xg::sum(x * xg::constant_array<weights>);     // an array of constants, read where it is
// [/constants]

// [shapes]
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto sequence = xg::input<"sequence", float, batch, steps, 16>;
constexpr auto mean_of_steps = xg::mean<1>(sequence);                   // [batch, 16]
constexpr auto centred = sequence - xg::mean<1>(sequence, xg::keep_dims); // [batch, 1, 16] broadcasts by NumPy's rule
constexpr auto rows = xg::reshape<batch * steps, 16>(sequence);         // an extent may be a product or a sum
// [/shapes]

// [quotients]
inline constexpr xg::dim time_steps{"time"};
constexpr auto signal = xg::input<"signal", float, batch, time_steps>;
constexpr auto even = xg::slice<1, 0, time_steps, 2>(signal);                     // [batch, (time + 1)/2], as NumPy's signal[:, 0:time:2]
constexpr auto changes = xg::slice<1, 1, time_steps>(signal) - xg::slice<1, 0, time_steps - 1>(signal);   // [batch, time - 1]
constexpr auto padded = xg::input<"padded", float, batch, (time_steps + 2 - 3) / 2 + 1>;
constexpr auto sum_of_both = even + padded;                                       // equal extents, however they are written
// [/quotients]

// [named variables]
inline constexpr xg::dim features{"features"};
constexpr auto users = xg::variable<"users", float, features, 8>;   // one row for each feature; how many is said below
constexpr auto wanted = xg::input<"wanted", std::int32_t, batch>;
constexpr auto distance = xg::mean(xg::square(xg::gather(users, wanted) - 1_c));
// [/named variables]
static_assert(xg::value_of<decltype(rows)>.wrong == xg::fault::none && xg::value_of<decltype(centred)>.wrong == xg::fault::none);
static_assert(xg::value_of<decltype(mean_of_steps)>.dims == xg::make_shape<batch, 16>());
static_assert(xg::value_of<decltype(kernel)>.wrong == xg::fault::none && xg::value_of<decltype(average)>.wrong == xg::fault::none);
static_assert(!std::is_same_v<decltype(half), decltype(scaled)> && std::is_empty_v<decltype(two)>);

// [let]
template<unsigned I>
struct block : xg::let<block<I>> {
    static constexpr auto value() {
        if constexpr (I == 0) return xg::input<"in", float, batch, 16>;
        else return block<I - 1>{} + xg::tanh(xg::nn::dense<xg::numbered<"layer", I>, 16>(block<I - 1>{}));
    }
};
constexpr auto tower = block<20>{};   // printed as block<20>, whatever it contains
// [/let]
static_assert(xg::value_of<decltype(tower)>.dims == xg::make_shape<batch, 16>());

// [gradient kinds]
constexpr auto table = xg::variable<"table", float, 1000, 8>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto unused = xg::variable<"unused", float, 4>;
constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids))) + xg::sum(x);

constexpr auto gradients = xg::gradients(loss, x, table, unused);   // a std::tuple
static_assert(xg::DenseGradient<decltype(std::get<0>(gradients))>);    // an expression
static_assert(xg::SparseGradient<decltype(std::get<1>(gradients))>);   // indexed_slices: values, indices, dense
static_assert(xg::NoGradient<decltype(std::get<2>(gradients))>);       // none: nothing connects them
// [/gradient kinds]

// [gradient options]
constexpr auto weight = xg::input<"weight", float, batch, 8>;
constexpr auto looked_up = xg::gather(table, ids);
constexpr auto h = xg::exp(looked_up);
constexpr auto weighted = xg::gradients(h * looked_up, xg::grad_ys(weight), table);    // start from weight instead of ones
constexpr auto partial = xg::gradients(h * looked_up, xg::stop_gradients(h), table);   // h is a constant here
constexpr auto zeros = xg::gradient_of(loss, xg::unconnected_zeros, unused);           // zeros instead of none
static_assert(xg::DenseGradient<decltype(zeros)>);
// [/gradient options]
namespace matrices {
// [matrices]
constexpr auto features = xg::input<"features", float, batch, 4>;
constexpr auto matrix = xg::input<"matrix", float, 4, 3>;
constexpr auto direction = xg::input<"direction", float, 4, 3>;                  // of the shape of matrix
constexpr auto outputs = xg::tanh(xg::matmul(features, matrix));                 // [batch, 3]
constexpr auto error = xg::mean(xg::square(outputs));

constexpr auto back = xg::vjp(outputs, matrix, outputs);                         // [4, 3]: the seed has the shape of outputs
constexpr auto along = xg::jvp(outputs, matrix, direction);                      // [batch, 3]
constexpr auto curved = xg::hvp(error, matrix, direction);                       // [4, 3]
constexpr auto gauss_newton = xg::gauss_newton_vp(outputs, matrix, direction);   // [4, 3]
constexpr auto jacobian = xg::jacobian(outputs, matrix);                         // [batch, 3, 4, 3]
constexpr auto hessian = xg::hessian(error, matrix);                             // [4, 3, 4, 3]
// [/matrices]
// [with_jvp]
// log(1 + e^x), and its derivative along t, which stays finite where e^x is infinite.
struct log1pexp : xg::region {
    static constexpr auto value(auto a) { return xg::log(1_c + xg::exp(a)); }
};
struct along_t : xg::region {
    static constexpr auto value(auto a, auto t) { return t * (1_c - 1_c / (1_c + xg::exp(a))); }
};
constexpr auto score = xg::with_jvp<log1pexp, along_t>(xg::sum<1>(features));   // [batch]
constexpr auto slope_of_score = xg::gradient_of(xg::sum(score), features);      // the transpose of along_t
// [/with_jvp]
static_assert(xg::value_of<decltype(jacobian)>.dims == xg::make_shape<batch, 3, 4, 3>());
static_assert(xg::value_of<decltype(hessian)>.dims == xg::make_shape<4, 3, 4, 3>());
void run() {
    std::vector<float> const rows{1, 2, 3, 4}, w(12, 0.25f), d{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};   // the first element alone
    xg::function f{xg::outputs(along, jacobian, curved, hessian, back, gauss_newton, slope_of_score)};
    auto const [jv, j, hv, h, vj, gn, s] = f(
        features = xg::array(rows.data(), 1, 4), matrix = xg::array(w.data(), 4, 3), direction = xg::array(d.data(), 4, 3));
    for (int i = 0; i < 3; ++i) expect(std::fabs(jv(0, i) - j(0, i, 0, 0)) < 1e-6f, "a product is a column of the Jacobian");
    for (int i = 0; i < 12; ++i) expect(std::fabs(hv[i] - h[12 * i]) < 1e-6f, "a product is a column of the Hessian");
    expect(std::fabs(s[0] - (1 - 1 / (1 + std::exp(10.0f)))) < 1e-6f, "a gradient is the transpose of a tangent");
}
}
namespace waves {
// [complex]
constexpr auto signal = xg::input<"signal", float, batch, 256>;
constexpr auto filter = xg::view_as_complex(xg::input<"filter", float, 129, 2>);   // real and imaginary parts side by side
constexpr auto filtered = xg::irfft<256>(xg::rfft(signal) * filter);
constexpr auto power = xg::square(xg::abs(xg::rfft(filtered)));
// [/complex]
void check() {
    xg::function f{xg::outputs(filtered, xg::sum(power))};
    std::vector<float> wave(256), pass(258);
    for (std::size_t k = 0; k < 256; ++k) wave[k] = std::sin(static_cast<float>(k) * 3.14159265f / 16) + 1;
    for (std::size_t k = 0; k < 129; ++k) pass[2 * k] = k > 0 ? 1.0f : 0.0f;   // without the constant part
    auto const [without, energy] = f(signal = xg::array(wave, 1, 256), xg::input<"filter", float, 129, 2> = xg::array(pass, 129, 2));
    expect(std::fabs(without(0, 8) - 1) < 1e-5f && std::fabs(without(0, 0)) < 1e-5f, "a filter removes the mean");
    expect(std::fabs(energy - 128 * 128) < 1, "one term of the spectrum");
}
}
namespace halves {
// [element types]
constexpr auto photo = xg::input<"photo", xg::float16, batch, 784>;
constexpr auto words = xg::variable<"words", xg::bfloat16, 1000, 8>;
constexpr auto weight = xg::variable<"weight", xg::bfloat16, 784, 8>;
constexpr auto word = xg::input<"word", std::int32_t, batch>;
constexpr auto looked_up = xg::gather(words, word);                              // bfloat16: two bytes for each element
constexpr auto score = xg::sum<1>(xg::matmul(photo, weight) * looked_up);        // float
constexpr auto stored = xg::cast<xg::float16>(score);                            // float16, rounded to the nearest
constexpr auto slope = xg::gradient_of(xg::sum(score), weight);                  // float
// [/element types]
// [master copy]
constexpr auto master = xg::variable<"master", float, 784, 8>;
constexpr auto low = xg::non_trainable<"low", xg::bfloat16, 784, 8>;             // what the net reads
constexpr auto loss = xg::mean(xg::square(xg::matmul(photo, low) - 1_c));
constexpr auto slope_of_low = xg::stop_gradient(xg::gradient_of(loss, low));     // float: what the master moves by
// [/master copy]
}
namespace several {
// [several outputs]
constexpr auto scores = xg::input<"scores", float, batch, 100>;
auto const [best, where] = xg::top_k<5>(scores);          // values and int32 positions, both [batch, 5]
auto const [mean, variance] = xg::moments<0>(best);
auto const spread = xg::gradient_of(xg::sum(variance), scores);
auto const [sorted, places] = xg::sort(scores);           // ascending, stable, NaN last; argsort(scores) gives the places alone
// [/several outputs]
static_assert(xg::value_of<decltype(places)>.type == xg::dtype::int32 && xg::value_of<decltype(sorted)>.dims == xg::make_shape<batch, 100>());
static_assert(xg::value_of<decltype(where)>.type == xg::dtype::int32 && xg::value_of<decltype(where)>.dims == xg::make_shape<batch, 5>());
static_assert(xg::value_of<decltype(mean)>.dims == xg::make_shape<5>() && xg::value_of<decltype(spread)>.dims == xg::make_shape<batch, 100>());
}

// [bodies]
struct refine : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(xg::nn::dense<"refine", 8>(h)); }
};
struct keep : xg::region {
    static constexpr auto value(auto h) { return h; }
};
constexpr auto deep = xg::input<"deep", bool>;
constexpr auto state = xg::input<"state", float, batch, 8>;
constexpr auto twice = xg::call<refine>(xg::call<refine>(state));   // the same variables in both calls
constexpr auto maybe = xg::cond<refine, keep>(deep, twice);         // a third time, if `deep` is true
// [/bodies]
static_assert(xg::value_of<decltype(maybe)>.dims == xg::make_shape<batch, 8>());

// [loops]
inline constexpr xg::dim turns{"turns"};
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(xg::matmul(h, xg::variable<"cell/w", float, 8, 8>) + xg::matmul(row, xg::variable<"cell/u", float, 3, 8>));
        return xg::carry(next).emit(xg::sum<1>(next));
    }
};
constexpr auto readings = xg::input<"readings", float, turns, batch, 3>;   // time is the first axis
constexpr auto start = xg::broadcast_to<batch, 8>(xg::constant<float, 0>);
auto const [last, sums] = xg::scan<cell>(xg::carry(start), readings);   // [batch, 8] and [turns, batch]
// [/loops]
static_assert(xg::value_of<decltype(last)>.dims == xg::make_shape<batch, 8>());
static_assert(xg::value_of<decltype(sums)>.dims == xg::make_shape<turns, batch>());

}   // namespace language

namespace running {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto layer = xg::nn::dense<"layer", 1>(x);
constexpr auto prediction = xg::squeeze<1>(layer);
constexpr auto loss = xg::mean(xg::squared_error(prediction, y));

// [cost]
using training = decltype(xg::minimize(loss, xg::adam{}));
static_assert(xg::cost_of<training>.arena_bytes(batch = 64) <= 1024);
static_assert(xg::cost_of<training>.flops(batch = 64) < 5000);
// [/cost]

void plans() {
    // [gating]
    auto as_early_as_possible = xg::minimize(loss, xg::adam{});                       // gating::none
    auto after_all_gradients = xg::minimize<xg::gating::graph>(loss, xg::adam{});
    auto one_node_at_a_time = xg::minimize<xg::gating::graph, false>(loss, xg::adam{});   // the planner does not fuse
    // [/gating]
    std::vector<float> const in{1, 2, 3, 4, 5, 6, 7, 8}, out{1, 2};
    auto const a = xg::array(in.data(), 2, 4);
    as_early_as_possible.initialize(xg::glorot_uniform{.seed = 3});
    after_all_gradients.initialize(xg::glorot_uniform{.seed = 3});
    one_node_at_a_time.initialize(xg::glorot_uniform{.seed = 3});
    for (int i = 0; i < 5; ++i) {
        float const first = as_early_as_possible(x = a, y = out);
        expect(first == after_all_gradients(x = a, y = out), "gating does not change the numbers");
        expect(std::abs(first - one_node_at_a_time(x = a, y = out)) < 1e-4f * std::abs(first), "fusion changes rounding alone");
    }
}

void grow() {
    // [growing]
    auto train = xg::minimize(language::distance, xg::adagrad{.learning_rate = 0.1}, language::features = 300);
    train.initialize(xg::random_uniform{.seed = 1});
    train.grow(language::features = 600, xg::random_uniform{.seed = 1});   // between steps; rows and slots that are there stay
    // [/growing]
    expect(train.value(language::users).shape(0) == 600 && train.slot(language::users, "accumulator")(599, 0) == 0.1f, "a table grows");
    std::vector<std::int32_t> const ids{599};
    expect(train(language::wanted = ids) > 0, "and is looked up");
}

void sixteen_bits() {
    namespace halves = language::halves;
    // [master run]
    auto train = xg::minimize(xg::sum(halves::master * halves::slope_of_low), xg::adam{.learning_rate = 1e-4},
        xg::assign(halves::low, xg::cast<xg::bfloat16>(xg::updated(halves::master))));
    // [/master run]
    train.initialize(xg::glorot_uniform{.seed = 1});
    std::vector<xg::float16> const pixels(2 * 784, xg::float16(0.5f));
    train(halves::photo = xg::array(pixels.data(), 2, 784));
    expect(train.value(halves::low)(3, 2).bits == xg::bfloat16(train.value(halves::master)(3, 2)).bits, "a copy of 16 bits");
    static_assert(xg::value_of<decltype(halves::looked_up)>.type == xg::dtype::bfloat16);
    static_assert(xg::value_of<decltype(halves::stored)>.type == xg::dtype::float16);
    static_assert(xg::value_of<decltype(halves::slope)>.type == xg::dtype::float32);
}
void vocabularies() {
    // [vocabulary]
    xg::vocabulary known{"known_users"};
    auto train = xg::minimize(language::distance, xg::adagrad{.learning_rate = 0.1}, language::features = 1024);
    train.initialize(xg::random_uniform{.seed = 1});
    auto learn = [&](std::vector<std::int64_t> const& keys) {
        auto const rows = known.lookup_or_insert(keys);   // before the step: the only part that may allocate
        if (auto const n = train.value(language::users).shape(0); known.size() > n)
            train.grow(language::features = 2 * n, xg::random_uniform{.seed = 1});
        return train(language::wanted = rows);
    };
    learn({4'000'000'007, -3, xg::key_of("anna@example.org")});
    // [/vocabulary]
    for (std::int64_t k = 0; k < 2000; ++k) learn({k * 1'000'003});
    expect(train.value(language::users).shape(0) == 2048 && known.size() == 2003 && known.lookup(-3) == 1, "keys become rows");
}

void growing_tables() {
    // [growing table]
    auto train = xg::minimize(language::distance, xg::adagrad{.learning_rate = 0.1}, language::features = 1024);
    xg::growing_table rows{"user_rows", train, language::users, xg::random_normal{.seed = 1, .stddev = 0.01}, {.admit_after = 3}};
    auto learn = [&](std::vector<std::int64_t> const& keys) {
        return train(language::wanted = rows.lookup_or_insert(keys));   // counts, admits, makes rows
    };
    auto tidy = [&] { return rows.expire(100'000, 5); };                // keys not seen for long, or in all hardly ever
    // [/growing table]
    for (std::int64_t k = 0; k < 4000; ++k) learn({k % 1000 * 1'000'003});
    expect(rows.size() == 1000 && rows.lookup(0) > 0 && rows.lookup(5) == 0, "keys that come often have rows");
    for (std::int64_t k = 0; k < 100'001; ++k) learn({1'000'003});
    expect(tidy() == 999 && rows.room() == 1022, "rows are given back");
}

void stores() {
    std::vector<float> const in{1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 4, 3, 6, 5, 8, 7}, out{1, 2, 3, 4};
    auto const rows = xg::array(in.data(), 4, 4);
    // [borrowing]
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01});   // owns variables, slots, step and seed
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function predict{prediction, train};                            // borrows them
    xg::function both{xg::outputs(prediction, loss), train};            // several results: a tuple

    train(x = rows, y = out);
    auto const now = predict(x = rows);                                 // sees the step that has just been made
    auto const [p, l] = both(x = rows, y = out);
    // [/borrowing]
    expect(now.shape(0) == 4 && p[0] == now[0] && l > 0, "functions see the trainer's variables");

    // [views]
    auto view = train.value(layer.w);                        // the variable itself: valid as long as the trainer
    view(0, 0) = 0.25f;
    auto m = train.slot(layer.w, "m");                       // Adam's first moment, by its name in the rule
    std::vector<float> const kept(now.begin(), now.end());   // `now` is overwritten by the next call of predict
    train.assign(layer.w, xg::array(kept.data(), 4, 1));     // copies in; shapes must agree
    // [/views]
    expect(m.size() == 4, "slots are found by name");

    // [describe]
    std::puts(xg::describe(train).c_str());
    std::puts(xg::summarize(train, batch = 64).c_str());
    // [/describe]
}

void shared() {
    std::vector<float> const in{1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 4, 3, 6, 5, 8, 7}, out{1, 2, 3, 4};
    auto const rows = xg::array(in.data(), 4, 4);
    // [shared store]
    constexpr auto size = xg::sum(xg::square(layer.w));
    xg::variables vars{loss, size};
    auto fit = xg::minimize(loss, xg::adam{.learning_rate = 0.01}, vars);      // an owner in place of sizes: its variables
    auto shrink = xg::minimize(size, xg::gradient_descent{.learning_rate = 0.001}, vars);
    vars.initialize(xg::glorot_uniform{.seed = 1});
    fit(x = rows, y = out);
    shrink();                                                                  // moves what fit has just moved
    // [/shared store]
    expect(fit.global_step() == 1 && shrink.value(layer.w).data() == vars.value(layer.w).data(), "trainers share a store");

    // [two parts]
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 0.01}, vars);
    float const before = train.compute_gradients(x = rows, y = out);   // nothing moves yet
    for (float& g : train.gradient(layer.w)) g = std::fmin(std::fmax(g, -1.0f), 1.0f);   // here: clipped; or averaged over replicas
    train.apply_gradients();
    // [/two parts]
    expect(before > 0 && train.global_step() == 1, "a step in two parts");
}

// [new values]
constexpr auto average = xg::non_trainable<"layer/average", float, 4, 1>;
auto make_averaging() {
    return xg::minimize(loss, xg::adam{.learning_rate = 0.01},
                        xg::assign(average, average - 0.01_c * (average - xg::updated(layer.w))));
}
// [/new values]

// [constraints]
constexpr auto once = xg::updated(layer.w);   // what the rule leaves
auto make_constrained() {
    return xg::minimize(loss, xg::adam{.learning_rate = 0.01},
                        xg::assign(layer.w, xg::nn::max_norm<0>(once, 2_c)),
                        xg::assign(average, average - 0.01_c * (average - xg::updated(once))));
}
// [/constraints]

// [member]
auto make_trainer() { return xg::minimize(loss, xg::adam{.learning_rate = 0.01}); }

struct model {
    decltype(make_trainer()) train = make_trainer();
    xg::function<decltype(prediction)> predict{prediction, train};
    xg::function<decltype(xg::outputs(prediction, loss))> both{xg::outputs(prediction, loss), train};   // of several results
};
// [/member]

void members() {
    model first;
    first.train.initialize(xg::glorot_uniform{.seed = 1});
    std::vector<float> const in{1, 2, 3, 4};
    float const before = first.predict(x = xg::array(in.data(), 1, 4))[0];
    model second = std::move(first);
    expect(before != 0 && second.predict(x = xg::array(in.data(), 1, 4))[0] == before, "a model can be moved");
}

// [array kinds]
void ways_to_bind(std::vector<float>& in, std::span<float const> targets, float const* p, std::size_t n) {
    auto train = xg::minimize(loss, xg::adam{});
    train(x = xg::array(in, n, 4), y = targets);   // a vector or span with extents, which must hold as many; alone it has one axis
    train(x = xg::array(p, n, 4), y = targets);    // a pointer with extents; xtensor's contiguous containers and views need no conversion
}
// [/array kinds]

// [into]
void into_my_memory(std::vector<float> const& in, std::span<float const> targets, std::span<float> slopes) {
    auto train = xg::minimize(loss, xg::adam{});
    auto const gradient = xg::gradient_of(loss, layer.w);
    xg::function f{xg::outputs(loss, gradient), train};
    float const value = f.into(slopes)(x = xg::array(in, 2, 4), y = targets);   // the numbers of loss are returned
    auto fill = f.into(slopes);                                                 // kept: it refers to f and to the array
    float const again = fill(x = xg::array(in, 2, 4), y = targets);
    expect(value == again, "the same function");
}
// [/into]

// [real time]
template<class Function>
bool answer(Function& predict, float const* in, float& out) noexcept {
    if (!predict.try_call(x = xg::array(in, 1, 4))) return false;   // an xg::status with code and name of the input
    out = predict.result()[0];
    return true;
}
// [/real time]

void real_time() {
    xg::variables weights{prediction};
    // [reserve]
    xg::function predict{prediction, weights};
    predict.reserve(batch = 1);   // the memory for batches up to 1; now no call allocates
    // [/reserve]
    std::vector<float> const in(4 * 100, 1.0f);
    float out = 1;
    expect(answer(predict, in.data(), out) && out == 0.0f, "the real-time form answers");
    xg::status const s = predict.try_call(x = xg::array(in.data(), 100, 4));
    expect(s.code == xg::status_code::capacity_exceeded, "and does not grow");
}

void randomness() {
    std::vector<float> const in{1, 2, 3, 4};
    constexpr auto noisy = xg::dropout<"noise">(x, 0.5_c);
    constexpr auto target = xg::sum(noisy * xg::variable<"w", float, 4>);
    auto first = xg::minimize(target, xg::gradient_descent{.learning_rate = 0.1});
    auto second = xg::minimize<xg::gating::graph, false>(target, xg::gradient_descent{.learning_rate = 0.1});
    first.initialize(xg::random_uniform{.seed = 7});
    second.initialize(xg::random_uniform{.seed = 7});
    for (int i = 0; i < 4; ++i) {
        auto const rows = xg::array(in.data(), 1, 4);
        expect(std::abs(first(x = rows) - second(x = rows)) < 1e-5f, "random numbers depend on seed, name, step and position alone");
    }

    // [dropout]
    constexpr auto logits = xg::nn::dense<"y", 1>(xg::dropout<"drop">(xg::relu(xg::nn::dense<"h", 8>(x)), 0.5_c));
    auto train = xg::minimize(xg::mean(xg::square(logits)), xg::adam{});
    xg::function predict{xg::eval(logits), train};
    // [/dropout]
    train.initialize(xg::glorot_uniform{.seed = 1});
    float const before = predict(x = xg::array(in.data(), 1, 4))(0, 0);
    train.store().steps = 1;   // other random numbers
    expect(predict(x = xg::array(in.data(), 1, 4))(0, 0) == before, "what predicts draws nothing");
}

void errors() {
    std::vector<float> const in(8), out(3);
    auto train = xg::minimize(loss, xg::adam{});
    // [errors]
    try {
        train(x = xg::array(in.data(), 2, 4), y = out);   // two rows, three targets
    } catch (xg::shape_error const& e) {
        std::puts(e.what());
        // xgrad: input "y": axis 0 must have extent 2 (the dimension "batch" as the other inputs bind it), the array has 3
    }
    // [/errors]
    expect(train.global_step() == 0, "a call that throws has changed nothing");
}

}   // namespace running

namespace costs {

inline constexpr xg::dim batch{"batch"};
constexpr auto hidden = xg::relu(xg::nn::dense<"hidden", 128>(xg::input<"x", float, batch, 784>));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::nn::dense<"out", 10>(hidden), xg::input<"y", std::int32_t, batch>));

// [cost of a classifier]
using training = decltype(xg::minimize(loss, xg::adam{}));
constexpr auto cost = xg::cost_of<training>;
static_assert(cost.flops(batch = 64) < 30'000'000);
static_assert(cost.arena_bytes(batch = 64) < 100'000);

std::int64_t bytes_of_a_step(std::int64_t n) { return cost.bytes_read(batch = n) + cost.bytes_written(batch = n); }
// [/cost of a classifier]

}   // namespace costs

}   // namespace

int main() {
    language::matrices::run();
    language::waves::check();
    running::plans();
    running::grow();
    running::sixteen_bits();
    running::vocabularies();
    running::growing_tables();
    running::stores();
    running::shared();
    {
        auto averaging = running::make_averaging();
        std::vector<float> const in{1, 2, 3, 4}, out{1};
        averaging(running::x = xg::array(in.data(), 1, 4), running::y = out);
        expect(averaging.value(running::average)[0] == 0.01f * averaging.value(running::layer.w)[0], "averages follow new values");
        auto constrained = running::make_constrained();
        for (float& e : constrained.value(running::layer.w)) e = 2;
        constrained(running::x = xg::array(in.data(), 1, 4), running::y = out);
        float norm = 0;
        for (float e : constrained.value(running::layer.w)) norm += e * e;
        expect(std::fabs(std::sqrt(norm) - 2) < 1e-5f, "constraints hold behind the step");
    }
    running::members();
    running::real_time();
    running::randomness();
    running::errors();
    std::vector<float> in(8, 1.0f), targets(2, 1.0f);
    running::ways_to_bind(in, targets, in.data(), 2);
    std::vector<float> slopes(4);
    running::into_my_memory(in, targets, slopes);
    expect(costs::bytes_of_a_step(64) > 0, "costs are numbers");
    return good ? 0 : 1;
}
