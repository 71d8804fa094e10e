// SPDX-License-Identifier: MIT
// The update loop of each kind of rule on a dense array, beside the same by hand; Adam, Adagrad, Ftrl and a chain are in updates_bench.
#include "frame.hpp"
#include "hand/more_rules.hpp"

#include <xgrad/kernels/update.hpp>
#include <xgrad/optim/optim.hpp>

#include <cmath>

namespace {

template<class Hand, class Rule>
void rows(bench::suite& suite, std::string const& title, Rule const& rule) {
    static_assert(xgrad::slot_count<Rule> == Hand::slots);
    for (auto [n, text] : {std::pair<std::size_t, char const*>{1000, "1e3"}, {100000, "1e5"}, {10000000, "1e7"}}) {
        std::string const name = title + ", " + text + " parameters";
        if (!suite.wanted(name)) continue;
        hand::plain_update<Hand> hand(n), ours(n);   // the second one is memory and numbers for xgrad
        double powers[xgrad::power_count<Rule> + 1] = {};
        xgrad::init_powers_of(rule, powers);
        std::int64_t steps = 0;
        float* slots[Hand::slots + 1] = {};
        for (int k = 0; k < Hand::slots; ++k) {
            slots[k] = ours.slot[k];
            for (std::size_t i = 0; i < n; ++i) ours.slot[k][i] = hand.slot[k][i] = static_cast<float>(xgrad::slot_init_of(rule, k));
        }
        auto const step = [&] {
            xgrad::kernels::update_dense<Rule, float>(
                rule.template prepare<float>(steps, powers), ours.w.data(), ours.g.data(), slots, static_cast<std::int64_t>(n));
            xgrad::advance_powers_of(rule, powers, steps++);
        };
        for (int i = 0; i < 3; ++i) {
            step();
            hand.step();
        }
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::abs(double(ours.w[i]) - double(hand.w[i])));
        suite.agree(name, "largest difference of a parameter after 3 steps", largest, 0, 2e-6);
        suite.row(name, step, [&] { hand.step(); });
    }
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "update rules");
    rows<hand::gradient_descent>(suite, "gradient descent", xgrad::gradient_descent{.learning_rate = 0.01});
    rows<hand::momentum>(suite, "momentum", xgrad::momentum{});
    rows<hand::nesterov>(suite, "Nesterov", xgrad::momentum{.use_nesterov = true});
    rows<hand::adadelta>(suite, "Adadelta", xgrad::adadelta{});
    rows<hand::rms_prop>(suite, "RMSProp", xgrad::rms_prop{.momentum = 0.5});
    rows<hand::adamw>(suite, "AdamW", xgrad::adamw{});
    rows<hand::amsgrad>(suite, "AMSGrad", xgrad::amsgrad{});
    rows<hand::nadam>(suite, "Nadam", xgrad::nadam{});
    rows<hand::adamax>(suite, "AdaMax", xgrad::adamax{});
    rows<hand::lion>(suite, "Lion", xgrad::lion{.weight_decay = 0.1});
    rows<hand::signum>(suite, "Signum", xgrad::signum{});
    rows<hand::add_sign>(suite, "AddSign", xgrad::add_sign{});
    rows<hand::adabelief>(suite, "AdaBelief", xgrad::adabelief{});
    rows<hand::yogi>(suite, "Yogi", xgrad::yogi{});
    rows<hand::adan>(suite, "Adan", xgrad::adan{});
    return suite.finish();
}
