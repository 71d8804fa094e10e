// SPDX-License-Identifier: MIT
// Each rule with its defaults, and each line of "From other tools" (docs/optimizers.md), like the current tools. Ten steps of ordinary,
// tiny, large and no gradients.
#include <xgrad/optim/optim.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "optim/reference.hpp"

using namespace xgrad;
using xgrad_test::table;

namespace {

constexpr int rows = 3, row = 2;

xgrad_test::reference const& tools() {
    static xgrad_test::reference const values(XGRAD_TEST_DATA "/defaults.txt", 0);
    return values;
}
/// The gradients of tests/reference/defaults.py.
std::vector<double> gradient(std::string const& kind, int step, int slices = rows) {
    double const size = kind == "tiny" ? 1e-7 : kind == "large" ? 1e4 : kind == "zeros" && step != 3 && step != 4 ? 0 : 1;
    std::vector<double> g = xgrad_test::reference_gradient<double>(step, slices, row);
    for (double& x : g) x *= size;
    return g;
}
/// What the tool has moved the variable by, to `tolerance` of it and to the rounding of the variable.
void compare(std::string const& which, std::vector<double> const& theta, double tolerance) {
    auto const start = xgrad_test::reference_start<double>(rows * row);
    std::vector<double> const& expected = tools().of(which);
    REQUIRE(expected.size() == theta.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
        double const change = theta[i] - start[i], rounding = 1e-15 * std::fmax(1, std::abs(theta[i]));
        INFO(which << "[" << i << "]: " << change << " against " << expected[i]);
        CHECK(std::abs(change - expected[i]) <= tolerance * std::abs(expected[i]) + rounding);
    }
}
/// One step of elements by their body, of other rules by their kernel.
template<class Rule>
void move(table<Rule>& v, std::vector<double> const& g, std::vector<char> const& touched) {
    if constexpr (optimizer_reductions<Rule> > 0) {
        auto const before = v.rule.template prepare<double>(v.step, v.powers);
        std::vector<double> sums(optimizer_reductions<Rule>), term(sums.size()), slot(v.slots.size());
        for (std::size_t i = 0; i < g.size(); ++i) {
            for (std::size_t k = 0; k < slot.size(); ++k) slot[k] = v.slots[k][i];
            Rule::optimizer_terms(before, v.param[i], g[i], slot.data(), term.data());
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += term[k];
        }
        auto const s = v.rule.template prepare<double>(v.step, v.powers, sums.data());
        for (std::size_t i = 0; i < g.size(); ++i) {
            for (std::size_t k = 0; k < slot.size(); ++k) slot[k] = v.slots[k][i];
            Rule::update(s, v.param[i], g[i], slot.data());
            for (std::size_t k = 0; k < slot.size(); ++k) v.slots[k][i] = slot[k];
        }
        v.rule.advance_powers(v.powers, v.step, sums.data());
        ++v.step;
    } else if constexpr (moves_elements<Rule>) xgrad_test::scalar_step(v, g, touched);
    else v.dense(g);
}
template<class Rule>
void as(std::string const& tool, Rule const& rule, double tolerance = 1e-9,
    std::vector<std::string> const& kinds = {"plain", "tiny", "large", "zeros"}) {
    CHECK(check_of(rule).empty());
    for (std::string const& kind : kinds) {
        table<Rule> v(rule, row, xgrad_test::reference_start<double>(rows * row));
        for (int step = 1; step <= 10; ++step) {
            std::vector<double> g = gradient(kind, step);
            std::vector<char> touched(g.size(), 1);
            if (kind == "sparse") {
                std::vector<double> const slices = gradient(kind, step, 2);
                g.assign(g.size(), 0);
                touched.assign(g.size(), 0);
                for (std::size_t i = 0; i < slices.size(); ++i) {
                    std::size_t const at = static_cast<std::size_t>(i < row ? step % 3 : (2 * step + 1) % 3) * row + i % row;
                    g[at] += slices[i];
                    touched[at] = 1;
                }
            }
            move(v, g, touched);
            if (step <= 3 || step == 10) compare(tool + "." + kind + " " + std::to_string(step) + " change", v.param, tolerance);
        }
    }
}
std::vector<std::string> const with_sparse{"plain", "tiny", "large", "zeros", "sparse"}, not_zeros{"plain", "tiny", "large"};

/// The rate of a warm-up over n steps, η in the last of them.
struct warm_up {
    double rate, steps;
    double operator()(std::int64_t step) const { return rate * std::fmin(1, static_cast<double>(step + 1) / steps); }
};

}   // namespace

TEST_CASE("defaults of TensorFlow's optimizers") {
    as("tf.Adadelta", adadelta{}, 1e-9, with_sparse);
    as("tf.AdagradDA", adagrad_da{}, 1e-9, with_sparse);
    as("tf.AdagradDA_l1", adagrad_da{.l1 = .125, .l2 = .25}, 1e-9, with_sparse);
    as("tf.Adagrad", adagrad{}, 1e-9, with_sparse);
    as("tf.Adam", adam{}, 1e-9, with_sparse);
    as("tf.Ftrl", ftrl{}, 1e-9, with_sparse);
    as("tf.Ftrl_beta", ftrl{.l1 = .125, .l2 = .25, .beta = .5}, 1e-9, with_sparse);
    as("tf.GradientDescent", gradient_descent{}, 1e-9, with_sparse);
    as("tf.Momentum", momentum{}, 1e-9, with_sparse);
    as("tf.Momentum_nesterov", momentum{.use_nesterov = true}, 1e-9, with_sparse);
    as("tf.ProximalAdagrad", proximal_adagrad{}, 1e-9, with_sparse);
    as("tf.ProximalAdagrad_l1", proximal_adagrad{.l1 = .125, .l2 = .25}, 1e-9, with_sparse);
    as("tf.ProximalGradientDescent", proximal_gradient_descent{}, 1e-9, with_sparse);
    as("tf.ProximalGradientDescent_l1", proximal_gradient_descent{.l1 = .125, .l2 = .25}, 1e-9, with_sparse);
    as("tf.RMSProp", rms_prop{}, 1e-9, with_sparse);
    as("tf.RMSProp_centered", centered_rms_prop{}, 1e-9, with_sparse);
}
TEST_CASE("Keras") {
    as("keras.Adadelta", adadelta{.epsilon = 1e-7});
    as("keras.Adafactor", adafactor{.learning_rate = 1e-3}, 1e-6);   // a power in float32
    as("keras.Adagrad", adagrad{.learning_rate = 1e-3, .initial_accumulator = .1 + 1e-7});
    as("keras.Adam", adam{.epsilon = 1e-7});
    as("keras.Adam_amsgrad", amsgrad{.epsilon = 1e-7});
    as("keras.Adam_weight_decay", adamw{.epsilon = 1e-7, .weight_decay = .125, .decay_by_rate = true});
    as("keras.AdamW", adamw{.epsilon = 1e-7, .weight_decay = .004, .decay_by_rate = true});
    as("keras.Adamax", adamax{.epsilon = 1e-7});
    as("keras.Ftrl", ftrl{});
    as("keras.Lamb", lamb{.epsilon = 1e-7});
    as("keras.Lion", lion{.learning_rate = 1e-3});
    as("keras.Lion_weight_decay", lion{.learning_rate = 1e-3, .weight_decay = .125});
    as("keras.Muon", muon{.weight_decay = .004, .match_rms_adamw = true}, 1e-5,
        {"plain", "large", "zeros"});   // Keras adds its ε to the norm
    as("keras.Nadam", pytorch_nadam{.learning_rate = 1e-3, .epsilon = 1e-7, .momentum_decay = 1});
    as("keras.RMSprop", rms_prop{.epsilon = 1e-7, .initial_accumulator = 0});
    as("keras.RMSprop_centered", centered_rms_prop{.momentum = .5, .epsilon = 1e-7, .initial_accumulator = 0});
    as("keras.SGD", gradient_descent{});
    as("keras.SGD_momentum", momentum{});
    as("keras.SGD_nesterov", momentum{.use_nesterov = true});
    as("keras.SGD_weight_decay", chain(decoupled_decay{.weight_decay = .125, .rate = .01}, gradient_descent{}));
    as("keras.ScheduleFreeAdamW", schedule_free_adamw{.weight_power = 0});
    as("keras.ScheduleFreeAdamW_warmup", schedule_free_adamw{.learning_rate = warm_up{2.5e-3, 4}, .weight_power = 0});
}
TEST_CASE("PyTorch") {
    as("torch.Adafactor", adafactor{});
    as("torch.Adafactor_weight_decay", adafactor{.weight_decay = .01 * .125});
    as("torch.Adadelta", adadelta{.learning_rate = 1, .rho = .9, .epsilon = 1e-6});
    as("torch.Adadelta_weight_decay", chain(l2_regularization{.125}, adadelta{.learning_rate = 1, .rho = .9, .epsilon = 1e-6}));
    as("torch.Adagrad", pytorch_adagrad{}, 1e-9, with_sparse);
    as("torch.Adagrad_lr_decay", chain(l2_regularization{.125}, pytorch_adagrad{.learning_rate = inverse_time_decay{.01, 1, .125}}));
    as("torch.Adam", pytorch_adam{});
    as("torch.Adam_weight_decay", chain(l2_regularization{.125}, pytorch_adam{}));
    as("torch.Adam_amsgrad", pytorch_amsgrad{});
    as("torch.Adam_decoupled", pytorch_adamw{.weight_decay = .125});
    as("torch.AdamW", pytorch_adamw{});
    as("torch.AdamW_amsgrad", chain(decoupled_decay{.weight_decay = .01, .rate = 1e-3}, pytorch_amsgrad{}));
    as("torch.Adamax", pytorch_adamax{});
    as("torch.Adamax_weight_decay", chain(l2_regularization{.125}, pytorch_adamax{}));
    as("torch.ASGD", asgd{});
    as("torch.ASGD_weight_decay", chain(l2_regularization{.125}, asgd{.start = 3}));
    as("torch.Muon", muon{});
    as("torch.Muon_match_rms_adamw", muon{.match_rms_adamw = true});
    as("torch.NAdam", pytorch_nadam{});
    as("torch.NAdam_decoupled", chain(decoupled_decay{.weight_decay = .125, .rate = 2e-3}, pytorch_nadam{}));
    as("torch.RAdam", radam{});
    as("torch.RAdam_decoupled", chain(decoupled_decay{.weight_decay = .125, .rate = 1e-3}, radam{}));
    as("torch.RMSprop", pytorch_rms_prop{});
    as("torch.RMSprop_centered", chain(l2_regularization{.125}, pytorch_centered_rms_prop{.momentum = .5}));
    as("torch.Rprop", rprop{});
    as("torch.SGD", gradient_descent{.learning_rate = 1e-3}, 1e-9, with_sparse);
    as("torch.SGD_momentum", momentum{.learning_rate = 1e-3});
    as("torch.SGD_momentum", pytorch_momentum{}, 1e-9, with_sparse);
    as("torch.SGD_dampening", chain(l2_regularization{.125}, pytorch_momentum{.dampening = .75}));
    as("torch.SGD_nesterov", chain(l2_regularization{.125}, pytorch_momentum{.use_nesterov = true}));
    as("torch.SGD_nesterov", chain(l2_regularization{.125}, momentum{.learning_rate = 1e-3, .use_nesterov = true}));
    as("torch.SparseAdam", lazy_adam{}, 1e-9, {"sparse"});
    as("pytorch_optimizer.Shampoo", shampoo{});
    as("pytorch_optimizer.Shampoo_decay", shampoo{.momentum = .5, .weight_decay = .125}, 1e-7);
    as("pytorch_optimizer.SignSGD", signum{});
    as("torch_optimizer.QHAdam", qhadam{});
    as("madgrad.MADGRAD", madgrad{});
    as("madgrad.MADGRAD_decay", chain(l2_regularization{.125}, madgrad{.momentum = .5}));
    as("schedulefree.SGDScheduleFree", schedule_free_sgd{.weight_decay = .125});
    as("schedulefree.SGDScheduleFree_warmup", schedule_free_sgd{.learning_rate = warm_up{1, 4}});
    as("schedulefree.AdamWScheduleFree", schedule_free_adamw{});
    as("schedulefree.AdamWScheduleFree_warmup", schedule_free_adamw{.learning_rate = warm_up{2.5e-3, 4}, .weight_decay = .125});
    as("schedulefree.AdamWScheduleFree_long_warmup", schedule_free_adamw{.learning_rate = warm_up{2.5e-3, 1000}});
}
TEST_CASE("optax") {
    as("optax.adabelief", adabelief{});
    as("optax.adadelta", adadelta{.learning_rate = 1, .rho = .9, .epsilon = 1e-6});
    as("optax.adafactor", unfactored_adafactor{});
    as("optax.adafactor_momentum", averaged_steps{unfactored_adafactor{}, .75});
    as("optax.adafactor_factored", adafactor{});
    as("optax.adafactor_factored_momentum", averaged_steps{adafactor{}, .75});
    as("optax.adafactor_decay", adafactor{.weight_decay = .125});
    as("optax.adagrad", adagrad{.initial_accumulator = .1 + 1e-7});
    as("optax.adam", pytorch_adam{});
    as("optax.adam_nesterov", pytorch_nadam{.learning_rate = 1e-3, .momentum_decay = 1e6});
    as("optax.adamax", pytorch_adamax{});
    as("optax.adamaxw", chain(decoupled_decay{.weight_decay = 1e-4, .rate = 2e-3}, pytorch_adamax{}));
    as("optax.adamw", pytorch_adamw{.weight_decay = 1e-4});
    as("optax.adan", adan{});
    as("optax.adan_decay", adan{.weight_decay = .125});
    as("optax.amsgrad", pytorch_amsgrad{.largest_of_corrected = true});
    as("optax.fromage", fromage{});
    as("optax.lamb", lamb{});
    as("optax.lamb_decay", lamb{.weight_decay = .125});
    as("optax.lars", lars{.weight_decay = 0});
    as("optax.lars_decay", chain(l2_regularization{.125}, lars{.weight_decay = 0, .use_nesterov = true}));
    as("optax.lion", lion{.weight_decay = 1e-3});
    as("optax.nadam", pytorch_nadam{.learning_rate = 1e-3, .momentum_decay = 1e6});
    as("optax.nadamw",
        chain(decoupled_decay{.weight_decay = 1e-4, .rate = 1e-3}, pytorch_nadam{.learning_rate = 1e-3, .momentum_decay = 1e6}));
    as("optax.novograd", novograd{});
    as("optax.novograd_root", novograd{.epsilon_root = 1e-8, .weight_decay = .125});
    as("optax.optimistic_gradient_descent", optimistic_gradient_descent{});
    as("optax.optimistic_gradient_descent_half", optimistic_gradient_descent{.alpha = .75, .beta = .5});
    as("optax.radam", radam{.epsilon = [](std::int64_t step) { return 1e-8 * std::sqrt(1 - std::pow(.999, step + 1)); }});
    as("optax.rmsprop", rms_prop{.epsilon = 1e-8, .initial_accumulator = 0});
    as("optax.rmsprop_momentum", centered_rms_prop{.momentum = .5, .epsilon = 1e-8, .initial_accumulator = 0});
    as("optax.rmsprop_outside", pytorch_rms_prop{.learning_rate = 1e-3, .decay = .9});
    as("optax.sgd", gradient_descent{});
    as("optax.sgd_momentum", momentum{});
    as("optax.sgd_nesterov", momentum{.use_nesterov = true});
    as("optax.sign_sgd", signum{.beta = 0});
    as("optax.signum", signum{});
    as("optax.sm3", sm3{});
    as("optax.yogi", yogi{});
    as("optax.contrib.ademamix", ademamix{});
    as("optax.contrib.ademamix_decay", ademamix{.beta3 = .75, .alpha = 2, .weight_decay = .125});
    as("optax.contrib.madgrad", madgrad{}, 1e-6);              // a root in float32
    as("optax.contrib.prodigy", prodigy{}, 1e-9, not_zeros);   // without a gradient optax' becomes NaN
    as("optax.contrib.prodigy_decay", prodigy{.weight_decay = .125}, 1e-9, not_zeros);
    as("optax.contrib.schedule_free_sgd", schedule_free_sgd{});
    as("optax.contrib.schedule_free_adamw", schedule_free_adamw{});
}
