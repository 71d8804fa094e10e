// SPDX-License-Identifier: MIT
// The wide & deep model in xgrad: the only file of the demo that includes the library.
#include "wide_and_deep/model.hpp"

#include "support/recipe_random.hpp"

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/plan/describe.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <utility>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim batch{"batch"};

// inputs
constexpr auto wide_ids = xg::input<"wide", std::int32_t, batch, 17>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 8>;
constexpr auto dense = xg::input<"dense", float, batch, 5>;
constexpr auto label = xg::input<"label", float, batch>;

// the wide part: a weight for each category, summed
constexpr auto wide_w = xg::variable<"wide/w", float, 7122>;
constexpr auto wide_b = xg::variable<"wide/b", float>;
constexpr auto wide = xg::embedding_bag(wide_w, wide_ids) + wide_b;

// the deep part: eight embeddings of 8 and the numbers, 69-100-50-1
template<int I>
constexpr auto column = xg::squeeze<1>(xg::slice<1, I, I + 1>(ids));
constexpr auto t0 = xg::variable<"deep/workclass", float, 9, 8>;
constexpr auto t1 = xg::variable<"deep/education", float, 16, 8>;
constexpr auto t2 = xg::variable<"deep/marital_status", float, 7, 8>;
constexpr auto t3 = xg::variable<"deep/occupation", float, 15, 8>;
constexpr auto t4 = xg::variable<"deep/relationship", float, 6, 8>;
constexpr auto t5 = xg::variable<"deep/race", float, 5, 8>;
constexpr auto t6 = xg::variable<"deep/sex", float, 2, 8>;
constexpr auto t7 = xg::variable<"deep/native_country", float, 42, 8>;
constexpr auto w1 = xg::variable<"deep/w1", float, 69, 100>;
constexpr auto b1 = xg::variable<"deep/b1", float, 100>;
constexpr auto w2 = xg::variable<"deep/w2", float, 100, 50>;
constexpr auto b2 = xg::variable<"deep/b2", float, 50>;
constexpr auto w3 = xg::variable<"deep/w3", float, 50, 1>;
constexpr auto b3 = xg::variable<"deep/b3", float, 1>;

struct features : xg::let<features> {
    static constexpr auto value() {
        return xg::concat<1>(xg::gather(t0, column<0>), xg::gather(t1, column<1>), xg::gather(t2, column<2>), xg::gather(t3, column<3>),
            xg::gather(t4, column<4>), xg::gather(t5, column<5>), xg::gather(t6, column<6>), xg::gather(t7, column<7>), dense);
    }
};
constexpr auto hidden1 = xg::relu(xg::matmul(features{}, w1) + b1);
constexpr auto hidden2 = xg::relu(xg::matmul(hidden1, w2) + b2);
struct logits : xg::let<logits> {
    static constexpr auto value() { return wide + xg::squeeze<1>(xg::matmul(hidden2, w3) + b3); }
};
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits{}, label));

auto make_trainer() {
    return xg::minimize(loss, xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.05}, wide_w, wide_b),
        xg::param_group(xg::adagrad{.learning_rate = 0.02}));
}

}   // namespace

namespace examples {

struct wide_and_deep_model::implementation {
    decltype(make_trainer()) train = make_trainer();
    decltype(xg::function{logits{}, train}) predict{logits{}, train};

    // Initial values of the recipe: streams 0 ... 7 for the tables, 8 ... 10 for the matrices; biases and wide weights are 0.
    void initialize(std::uint64_t seed) {
        for (auto const& v : train.store().variables()) std::fill_n(static_cast<float*>(v.data), v.size, 0.0f);
        std::uint64_t stream = 0;
        auto table = [&](auto view) { fill_symmetric(seed, stream++, 0.05, view); };
        auto matrix = [&](auto view) {
            fill_glorot(seed, stream++, static_cast<std::size_t>(view.shape(0)), static_cast<std::size_t>(view.shape(1)), view);
        };
        table(train.value(t0));
        table(train.value(t1));
        table(train.value(t2));
        table(train.value(t3));
        table(train.value(t4));
        table(train.value(t5));
        table(train.value(t6));
        table(train.value(t7));
        matrix(train.value(w1));
        matrix(train.value(w2));
        matrix(train.value(w3));
        train.reset_optimizer();
    }
};

wide_and_deep_model::wide_and_deep_model(std::uint64_t seed) : self_(std::make_unique<implementation>()) { initialize(seed); }
wide_and_deep_model::~wide_and_deep_model() = default;
wide_and_deep_model::wide_and_deep_model(wide_and_deep_model&&) noexcept = default;
wide_and_deep_model& wide_and_deep_model::operator=(wide_and_deep_model&&) noexcept = default;

void wide_and_deep_model::initialize(std::uint64_t seed) { self_->initialize(seed); }

float wide_and_deep_model::step(row_block const& r) {
    return self_->train(wide_ids = xg::array(r.wide, r.count, 17), ids = xg::array(r.ids, r.count, 8),
        dense = xg::array(r.dense, r.count, 5), label = xg::array(r.label, r.count));
}
void wide_and_deep_model::predict(row_block const& r, float* out) {
    auto const z = self_->predict(
        wide_ids = xg::array(r.wide, r.count, 17), ids = xg::array(r.ids, r.count, 8), dense = xg::array(r.dense, r.count, 5));
    std::copy(z.begin(), z.end(), out);
}

std::int64_t wide_and_deep_model::steps() const { return self_->train.global_step(); }
std::size_t wide_and_deep_model::nonzero_wide() const {
    auto const w = self_->train.value(wide_w);
    return static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](float x) { return x != 0; }));
}
std::string wide_and_deep_model::plan_summary() const { return xg::summarize(self_->train); }

void wide_and_deep_model::save(std::filesystem::path const& file, std::map<std::string, std::string> const& metadata) const {
    xg::save(self_->train, file, metadata);
}
std::map<std::string, std::string> wide_and_deep_model::load(std::filesystem::path const& file) { return xg::restore(self_->train, file); }

}   // namespace examples
