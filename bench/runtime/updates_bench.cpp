// SPDX-License-Identifier: MIT
// Updates alone: rules of xgrad on dense arrays and on the rows of a table, compared with hand-written loops.
#include "clocked.hpp"
#include "frame.hpp"
#include "hand/adam_rules.hpp"
#include "hand/more_rules.hpp"
#include "hand/norm_rules.hpp"
#include "hand/rules.hpp"

#include <xgrad/kernels/updates/optimizer_sums.hpp>
#include <xgrad/kernels/updates/update.hpp>
#include <xgrad/kernels/updates/update_reduced.hpp>
#include <xgrad/kernels/updates/update_rows.hpp>
#include <xgrad/optim/optim.hpp>
#include <xgrad/sparse/coalesce.hpp>

namespace {

template<class Hand, class Rule>
void dense_rows(bench::suite& suite, std::string const& title, Rule const& rule) {
    for (auto [n, text] : {std::pair<std::size_t, char const*>{1000, "1e3"}, {100000, "1e5"}, {10000000, "1e7"}}) {
        std::string const name = title + ", " + text + " parameters";
        if (!suite.wanted(name)) continue;
        hand::dense_update<Hand> hand(n), ours(n);   // the second one is memory and numbers for xgrad
        bench::clocked<Rule> state(rule);
        float of_variable = 0;   // where a rule keeps a number for it
        float* slots[Hand::slots + 1] = {};
        for (int k = 0; k < Hand::slots; ++k) slots[k] = ours.slot[k];
        slots[Hand::slots] = &of_variable;
        auto const count = std::int64_t(n);
        auto const step = [&] {
            float *const w = ours.w, *const g = ours.g;
            if constexpr (xgrad::optimizer_reductions<Rule> > 0) {
                xgrad::kernels::optimizer_sums<Rule> sums;
                sums.template add_dense<float>(state.prepare(), w, g, slots, count, std::int64_t(1));
                sums.finish();
                xgrad::kernels::update_dense<Rule, float>(state.prepare(sums.value), w, g, slots, count);
                state.advance(sums.value);
            } else {
                if constexpr (xgrad::moves_elements<Rule>) xgrad::kernels::update_dense<Rule, float>(state.prepare(), w, g, slots, count);
                else   // sums over the variable alone, so that nothing is kept per column
                    xgrad::kernels::update_reduced<Rule, float>(state.prepare(), w, g, slots, count, std::int64_t(1), nullptr);
                state.advance();
            }
        };
        for (int i = 0; i < 8; ++i) {   // RAdam has another formula up to the fifth
            step();
            hand.step();
        }
        suite.agree(name, "largest difference of a parameter after 8 steps", bench::distance(ours.w, hand.w, n), 0, 1e-6);
        for (int k = 0; k < Hand::slots; ++k)
            suite.agree(name, "largest difference of a slot after 8 steps", bench::distance(ours.slot[k], hand.slot[k], n), 0, 1e-6);
        suite.row(name, step, [&] { hand.step(); });
    }
}

template<class Hand, class Rule>
void sparse_row(bench::suite& suite, std::string const& title, Rule const& rule, double peer) {
    std::string const name = title + ", 8192 Zipf ids of 1M x 32";
    if (!suite.wanted(name)) return;
    constexpr std::int64_t rows = 1000000, row = hand::row_update<Hand>::dim, n = 8192;
    hand::row_update<Hand> hand;
    hand::buffer<float> table(rows * row), first(rows * row), second(rows * row);
    for (std::int32_t r = 0; r < rows; ++r) {
        for (int d = 0; d < row; ++d) {
            table[r * row + d] = hand.initial(r, d);
            first[r * row + d] = Rule::slots.size() == 1 ? 0.1f : 0.0f;
        }
    }
    hand::buffer<char> memory(xgrad::sparse::group_bytes(n, rows) + 64);
    void* const workspace = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    float* slots[] = {first, second};
    bench::clocked<Rule> state(rule);
    std::size_t turn = 0;
    auto const step = [&] {
        auto const groups = xgrad::sparse::group_rows(hand.ids[turn++ % hand.ids.size()].data(), n, rows, workspace);
        xgrad::kernels::update_rows<Rule, row, float>(state.prepare(), table.data(), slots, row, groups, {hand.gradients.data(), row});
        state.advance();
    };
    for (int i = 0; i < 3; ++i) {
        step();
        hand.step();
    }
    double largest = 0;
    for (std::int32_t r = 0; r < rows; ++r) largest = std::max(largest, bench::distance(table + r * row, hand.weight(r), row));
    suite.agree(name, "largest difference of a parameter after 3 steps", largest, 0, 1e-6);
    suite.row(
        name, step, [&] { hand.step(); }, peer);
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "updates alone");
    xgrad::adagrad const adagrad{.learning_rate = 0.01};
    dense_rows<hand::adam>(suite, "Adam", xgrad::adam{.learning_rate = 1e-3});
    dense_rows<hand::composed_adam>(suite, "clip, decay, Adam, average",
        xgrad::chain(xgrad::clip_by_value(-0.05, 0.05), xgrad::decoupled_decay{.weight_decay = 0.01}, xgrad::adam{.learning_rate = 1e-3},
            xgrad::ema{.decay = 0.999}));
    dense_rows<hand::adagrad>(suite, "Adagrad", adagrad);
    dense_rows<hand::fast_adagrad>(suite, "fast Adagrad", xgrad::fast_adagrad{{.learning_rate = 0.01}});
    dense_rows<hand::ftrl>(suite, "Ftrl", xgrad::ftrl{.learning_rate = 0.1, .l1 = 0.01});
    dense_rows<hand::gradient_descent>(suite, "gradient descent", xgrad::gradient_descent{.learning_rate = 0.01});
    dense_rows<hand::momentum>(suite, "momentum", xgrad::momentum{});
    dense_rows<hand::nesterov>(suite, "Nesterov", xgrad::momentum{.use_nesterov = true});
    dense_rows<hand::adadelta>(suite, "Adadelta", xgrad::adadelta{});
    dense_rows<hand::rms_prop>(suite, "RMSProp", xgrad::rms_prop{.momentum = 0.5});
    dense_rows<hand::adamw>(suite, "AdamW", xgrad::adamw{});
    dense_rows<hand::amsgrad>(suite, "AMSGrad", xgrad::amsgrad{});
    dense_rows<hand::nadam>(suite, "Nadam", xgrad::nadam{});
    dense_rows<hand::adamax>(suite, "AdaMax", xgrad::adamax{});
    dense_rows<hand::lion>(suite, "Lion", xgrad::lion{.weight_decay = 0.1});
    dense_rows<hand::signum>(suite, "Signum", xgrad::signum{});
    dense_rows<hand::add_sign>(suite, "AddSign", xgrad::add_sign{});
    dense_rows<hand::adabelief>(suite, "AdaBelief", xgrad::adabelief{});
    dense_rows<hand::yogi>(suite, "Yogi", xgrad::yogi{});
    dense_rows<hand::adan>(suite, "Adan", xgrad::adan{.weight_decay = 0.01});
    dense_rows<hand::adam>(suite, "AdamGS", xgrad::adam_gs{});
    dense_rows<hand::pytorch_adamax>(suite, "PyTorch's Adamax", xgrad::pytorch_adamax{});
    dense_rows<hand::pytorch_nadam>(suite, "PyTorch's NAdam", xgrad::pytorch_nadam{});
    dense_rows<hand::pytorch_adam>(suite, "PyTorch's Adam", xgrad::pytorch_adam{});
    dense_rows<hand::pytorch_amsgrad>(suite, "PyTorch's AMSGrad", xgrad::pytorch_amsgrad{});
    dense_rows<hand::pytorch_adamw>(suite, "PyTorch's AdamW", xgrad::pytorch_adamw{});
    dense_rows<hand::radam>(suite, "RAdam", xgrad::radam{});
    dense_rows<hand::qhadam>(suite, "QHAdam", xgrad::qhadam{.nu1 = 0.7, .nu2 = 0.95});
    dense_rows<hand::momentum_w>(suite, "MomentumW", xgrad::momentum_w{});
    dense_rows<hand::adagrad_da>(suite, "AdagradDA", xgrad::adagrad_da{.l1 = 0.01, .l2 = 0.02});
    dense_rows<hand::adagrad>(suite, "RegAdagrad", xgrad::reg_adagrad{});
    dense_rows<hand::proximal_adagrad>(suite, "proximal Adagrad", xgrad::proximal_adagrad{.l1 = 0.01, .l2 = 0.02});
    dense_rows<hand::proximal_gradient_descent>(
        suite, "proximal gradient descent", xgrad::proximal_gradient_descent{.l1 = 0.01, .l2 = 0.02});
    dense_rows<hand::pytorch_adagrad>(suite, "PyTorch's Adagrad", xgrad::pytorch_adagrad{});
    dense_rows<hand::power_sign>(suite, "PowerSign", xgrad::power_sign{});
    dense_rows<hand::centered_rms_prop>(suite, "centred RMSProp", xgrad::centered_rms_prop{.momentum = 0.5});
    dense_rows<hand::pytorch_rms_prop>(suite, "PyTorch's RMSprop", xgrad::pytorch_rms_prop{.momentum = 0.5});
    dense_rows<hand::pytorch_centered_rms_prop>(suite, "PyTorch's centred RMSprop", xgrad::pytorch_centered_rms_prop{.momentum = 0.5});
    dense_rows<hand::rprop>(suite, "Rprop", xgrad::rprop{});
    dense_rows<hand::asgd>(suite, "ASGD", xgrad::asgd{.start = 0});
    dense_rows<hand::schedule_free_sgd>(suite, "schedule-free SGD", xgrad::schedule_free_sgd{.learning_rate = 0.1, .weight_decay = 0.01});
    dense_rows<hand::schedule_free_adamw>(suite, "schedule-free AdamW", xgrad::schedule_free_adamw{.weight_decay = 0.01});
    dense_rows<hand::lars>(suite, "LARS", xgrad::lars{});
    dense_rows<hand::novograd>(suite, "NovoGrad", xgrad::novograd{.weight_decay = 0.01});
    dense_rows<hand::prodigy>(suite, "Prodigy", xgrad::prodigy{.weight_decay = 0.01});
    dense_rows<hand::lamb>(suite, "LAMB", xgrad::lamb{.weight_decay = 0.01});
    sparse_row<hand::adagrad>(suite, "Adagrad", adagrad, 0);
    sparse_row<hand::adam>(suite, "lazy Adam", xgrad::lazy_adam{.learning_rate = 1e-3}, 0);
    return suite.finish();
}
