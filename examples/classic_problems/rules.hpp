// SPDX-License-Identifier: MIT
// Every element-wise rule of the library, with the rate that is best on each problem and the value that it reaches there.
#pragma once

#include <xgrad/optim/optim.hpp>

#include <string>
#include <utility>

#include "problems.hpp"

namespace classic {

/// The steps of a rule from the start of a problem: the largest value in the last tenth of them. `path` gets each point, if it is not null.
template<class Rule>
double run(double rate, problem const& p, std::vector<numbers>* path) {
    static_assert(xgrad::moves_elements<Rule>);
    Rule rule{};
    rule.learning_rate = rate;
    if constexpr (requires { rule.weight_decay; }) rule.weight_decay = 0;   // would move the minimum
    double powers[xgrad::power_count<Rule> + 1]{};
    xgrad::init_powers_of(rule, powers);
    constexpr std::size_t slots = static_cast<std::size_t>(xgrad::slot_count<Rule>);
    std::vector<std::array<double, slots + 1>> state(p.start.size());
    for (auto& of_element : state)
        for (std::size_t k = 0; k < slots; ++k) of_element[k] = xgrad::slot_init_of(rule, static_cast<int>(k));
    numbers x = p.start, g(x.size());
    double largest = 0;
    for (int step = 0; step < p.steps; ++step) {
        if (path != nullptr) path->push_back(x);
        double const value = p.value_and_gradient(x, g) - p.least;
        if (step >= p.steps - p.steps / 10 && !(value <= largest)) largest = value;   // NaN too
        auto const scalars = rule.template prepare<double>(step, powers);
        for (std::size_t i = 0; i < x.size(); ++i) Rule::update(scalars, x[i], g[i], state[i].data());
        xgrad::advance_powers_of(rule, powers, step);
    }
    if (path != nullptr) path->push_back(x);
    return largest;
}

struct nesterov : xgrad::momentum {
    nesterov() { use_nesterov = true; }
};

struct stated_value {
    double rate,
        value;   // the value: with this rate and with 5 % lower and higher ones, rounded up by a fifth, of the rastrigin by a fiftieth
};
struct contestant {
    char const* name;
    double (*run)(double rate, problem const& p, std::vector<numbers>* path);
    stated_value stated[problem_count];
};
inline constexpr contestant contestants[]{
    {"adabelief", run<xgrad::adabelief>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.001, 14}, {0.056, 1e-12}}},
    {"adadelta", run<xgrad::adadelta>, {{3.2, 1.7}, {0.56, 0.12}, {1, 14}, {3.2, 0.14}}},
    {"adagrad", run<xgrad::adagrad>, {{1, 0.062}, {1, 0.0002}, {1, 5.1}, {3.2, 1e-12}}},
    {"adagrad_da", run<xgrad::adagrad_da>, {{0.56, 7.5e-08}, {0.32, 1.7e-05}, {0.0032, 1e-12}, {3.2, 1e-12}}},
    {"adam", run<xgrad::adam>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"adam_gs", run<xgrad::adam_gs>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"adamax", run<xgrad::adamax>, {{1.8, 4.6e-05}, {0.032, 7.9e-10}, {0.0032, 14}, {0.56, 1e-12}}},
    {"adamw", run<xgrad::adamw>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"adan", run<xgrad::adan>, {{0.0032, 0.0013}, {0.001, 4.3e-06}, {0.056, 14}, {1, 4.6e-05}}},
    {"add_sign", run<xgrad::add_sign>, {{5.6e-05, 0.37}, {0.001, 0.0002}, {5.6e-05, 14}, {3.2, 3.3e-12}}},
    {"ademamix", run<xgrad::ademamix>, {{1, 0.0048}, {0.018, 0.0035}, {0.0032, 14}, {1.8, 2.8e-09}}},
    {"amsgrad", run<xgrad::amsgrad>, {{1, 1e-12}, {0.056, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"asgd", run<xgrad::asgd>, {{0.00018, 0.23}, {0.0018, 0.00046}, {5.6e-05, 14}, {3.2, 6e-06}}},
    {"centered_rms_prop", run<xgrad::centered_rms_prop>, {{0.00056, 0.02}, {0.00018, 2e-05}, {0.32, 14}, {0.0056, 5.2e-06}}},
    {"ftrl", run<xgrad::ftrl>, {{1, 0.062}, {0.56, 0.00023}, {1, 5.1}, {3.2, 1e-12}}},
    {"gradient_descent", run<xgrad::gradient_descent>, {{0.00018, 0.23}, {0.0018, 0.00045}, {0.00056, 14}, {3.2, 1.4e-07}}},
    {"lazy_adam", run<xgrad::lazy_adam>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"lion", run<xgrad::lion>, {{0.0018, 0.12}, {0.001, 0.0011}, {0.001, 14}, {0.032, 0.00056}}},
    {"madgrad", run<xgrad::madgrad>, {{0.01, 1e-12}, {0.001, 1e-12}, {1e-05, 14}, {0.18, 1e-12}}},
    {"momentum", run<xgrad::momentum>, {{0.00032, 4.2e-06}, {0.001, 1e-12}, {1e-05, 14}, {0.56, 1e-12}}},
    {"momentum, use_nesterov", run<nesterov>, {{0.0001, 0.01}, {0.001, 1e-12}, {1.8e-05, 14}, {0.56, 1e-12}}},
    {"momentum_w", run<xgrad::momentum_w>, {{0.00032, 4.2e-06}, {0.001, 1e-12}, {1e-05, 14}, {0.56, 1e-12}}},
    {"nadam", run<xgrad::nadam>, {{1.8, 2e-10}, {0.01, 3.5e-08}, {0.56, 2.8}, {0.1, 1e-12}}},
    {"optimistic_gradient_descent", run<xgrad::optimistic_gradient_descent>,
        {{5.6e-05, 0.46}, {0.00056, 0.059}, {1.8e-05, 14}, {1.8, 1.6e-05}}},
    {"power_sign", run<xgrad::power_sign>, {{5.6e-05, 0.34}, {0.001, 8.4e-06}, {0.00018, 14}, {3.2, 1e-12}}},
    {"proximal_adagrad", run<xgrad::proximal_adagrad>, {{1, 0.062}, {1, 0.0002}, {1, 5.1}, {3.2, 1e-12}}},
    {"proximal_gradient_descent", run<xgrad::proximal_gradient_descent>,
        {{0.00018, 0.23}, {0.0018, 0.00045}, {0.00056, 14}, {3.2, 1.4e-07}}},
    {"pytorch_adagrad", run<xgrad::pytorch_adagrad>, {{1, 0.062}, {1, 0.00021}, {1, 5.1}, {1, 1e-12}}},
    {"pytorch_adam", run<xgrad::pytorch_adam>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"pytorch_adamax", run<xgrad::pytorch_adamax>, {{1.8, 4.6e-05}, {0.032, 7.9e-10}, {0.0032, 14}, {0.56, 1e-12}}},
    {"pytorch_adamw", run<xgrad::pytorch_adamw>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"pytorch_amsgrad", run<xgrad::pytorch_amsgrad>, {{1, 1e-12}, {0.056, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"pytorch_centered_rms_prop", run<xgrad::pytorch_centered_rms_prop>,
        {{0.0032, 0.22}, {0.00056, 0.00019}, {0.1, 6.1}, {0.032, 3.1e-10}}},
    {"pytorch_momentum", run<xgrad::pytorch_momentum>, {{0.00032, 4.2e-06}, {0.001, 1e-12}, {1e-05, 14}, {0.56, 1e-12}}},
    {"pytorch_nadam", run<xgrad::pytorch_nadam>, {{0.056, 0.029}, {0.0056, 0.0021}, {0.0032, 14}, {0.056, 2.8e-07}}},
    {"pytorch_rms_prop", run<xgrad::pytorch_rms_prop>, {{0.0032, 0.23}, {0.001, 0.00091}, {0.1, 6.1}, {0.032, 8e-10}}},
    {"qhadam", run<xgrad::qhadam>, {{0.56, 1e-12}, {0.018, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
    {"radam", run<xgrad::radam>, {{0.00032, 340}, {0.0056, 0.017}, {0.018, 8.2}, {0.56, 1e-12}}},
    {"reg_adagrad", run<xgrad::reg_adagrad>, {{1, 0.062}, {1, 0.0002}, {1, 5.1}, {3.2, 1e-12}}},
    {"rms_prop", run<xgrad::rms_prop>, {{0.0032, 0.19}, {0.001, 0.00064}, {0.00056, 14}, {0.018, 5.4e-05}}},
    {"rprop", run<xgrad::rprop>, {{0.032, 1.4e-06}, {0.56, 2.9e-07}, {1, 5.1}, {1e-05, 1e-12}}},
    {"schedule_free_adamw", run<xgrad::schedule_free_adamw>, {{0.18, 0.0047}, {0.018, 0.0099}, {1, 6.2}, {0.56, 3e-10}}},
    {"schedule_free_sgd", run<xgrad::schedule_free_sgd>, {{0.0018, 0.0028}, {0.0056, 9.2e-05}, {0.018, 8.2}, {1.8, 3.9e-05}}},
    {"signum", run<xgrad::signum>, {{0.0018, 0.75}, {0.001, 0.0032}, {0.00056, 14}, {0.01, 0.00012}}},
    {"yogi", run<xgrad::yogi>, {{1, 1e-12}, {0.056, 1e-12}, {0.0032, 14}, {0.1, 1e-12}}},
};

}   // namespace classic
