// SPDX-License-Identifier: MIT
// Networks of sequences: a step of LSTM, GRU and a block of a transformer, and inference of one sequence.
// against_torch runs them next to PyTorch.
#include "hand/lstm.hpp"
#include "served.hpp"

#include <xgrad/all.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};

/// A row of training in batches with the mean squared error of the result, and one of inference of one sequence.
/// make_hand(trainer, x, target) is a hand-written training step that begins with the variables of the trainer, or an empty function.
template<class X, class Y, class T, class Rule, class Hand>
void rows(bench::served& all, std::string const& name, std::string const& rule_name, X x, Y y, T target, Rule const& rule, std::size_t size,
    std::size_t length, std::size_t width, Hand const& make_hand) {
    auto const loss = xg::mean(xg::squared_error(y, target));
    auto train = std::make_shared<decltype(xg::minimize(loss, rule))>(xg::minimize(loss, rule));
    train->initialize(xg::glorot_uniform{.seed = 1});
    auto predict = std::make_shared<decltype(xg::function{xg::eval(y), *train})>(xg::function{xg::eval(y), *train});
    constexpr bool all_steps = xg::value_of<Y>.dims.rank == 3;
    auto const in = std::make_shared<std::vector<float>>(bench::numbers(size * length * width, 1));
    auto const out = std::make_shared<std::vector<float>>(bench::numbers(size * (all_steps ? length : 1) * width, 2));
    auto const save = [train](std::string const& path) { xg::save(*train, path); };
    auto const step = [=] {
        auto const goal = [&] {
            if constexpr (all_steps) return xg::array(out->data(), size, length, width);
            else return xg::array(out->data(), size, width);
        }();
        return double((*train)(x = xg::array(in->data(), size, length, width), target = goal));
    };
    auto const one = [=] { return bench::checksum((*predict)(x = xg::array(in->data(), 1, length, width))); };
    train->reserve(batch = static_cast<std::int64_t>(size));
    predict->reserve(batch = 1);
    std::function<double()> const by_hand = make_hand(*train, in, out);
    all.row({name + ", " + rule_name + ", batch " + std::to_string(size), step, train->arena_bytes(), save, by_hand});
    all.row({name + ", inference, batch 1", one, predict->arena_bytes(), save});
}
constexpr auto no_hand = [](auto const&, auto const&, auto const&) { return std::function<double()>{}; };
template<std::int64_t Units>
constexpr auto lstm_by_hand = [](auto& train, auto const& x, auto const& target) -> std::function<double()> {
    auto const w = train.value(xg::variable<"rnn/w", float, Units, 4 * Units>),
               u = train.value(xg::variable<"rnn/u", float, Units, 4 * Units>);
    auto const b = train.value(xg::variable<"rnn/b", float, 4 * Units>);
    auto const step = std::make_shared<hand::lstm<Units>>(w.data(), u.data(), b.data());
    return [=] { return double(step->step(x->data(), target->data())); };
};
template<std::int64_t Units>
void recurrent(bench::served& all) {
    constexpr auto x = xg::input<"x", float, batch, 32, Units>;
    constexpr auto target = xg::input<"target", float, batch, Units>;
    std::string const size = std::to_string(Units);
    xg::pytorch_adam const rule{.learning_rate = 1e-3};
    rows(all, "LSTM " + size + ", 32 time steps", "Adam", x, xg::nn::lstm<"rnn", Units>(x), target, rule, 16, 32, std::size_t(Units),
        lstm_by_hand<Units>);
    rows(
        all, "GRU " + size + ", 32 time steps", "Adam", x, xg::nn::gru<"rnn", Units>(x), target, rule, 16, 32, std::size_t(Units), no_hand);
}
}   // namespace

int main(int argc, char** argv) {
    bench::served all(argc, argv, "networks of sequences");
    recurrent<64>(all);
    recurrent<256>(all);
    constexpr auto x = xg::input<"x", float, batch, 64, 128>;
    constexpr auto target = xg::input<"target", float, batch, 64, 128>;
    constexpr auto y = xg::nn::transformer_encoder_block<"block", 4, 512, xg::nn::transformer_options{.norm_first = true}>(x);
    rows(all, "transformer block 64x128, 4 heads", "AdamW", x, y, target, xg::pytorch_adamw{.learning_rate = 1e-3}, 8, 64, 128, no_hand);
    return all.finish();
}
