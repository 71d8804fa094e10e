// SPDX-License-Identifier: MIT
// Update rules of matrices: those with numbers for rows and columns, and those with products of matrices, compared with hand-written loops.
#include "clocked.hpp"
#include "frame.hpp"
#include "hand/product_rules.hpp"

#include <xgrad/kernels/updates/update_matrix.hpp>
#include <xgrad/kernels/updates/update_reduced.hpp>

namespace {

template<class Hand, class Rule>
void rows_and_columns(bench::suite& suite, std::string const& title, Rule const& rule) {
    constexpr std::size_t columns = 1008;
    for (std::size_t rows : {100, 1008, 10000}) {
        std::string const name = title + ", " + std::to_string(rows) + " x " + std::to_string(columns);
        if (!suite.wanted(name)) continue;
        Hand hand(rows, columns), ours(rows, columns);   // the second one is memory and numbers for xgrad
        bench::clocked<Rule> state(rule);
        hand::buffer<char> scratch(xgrad::kernels::reduction_bytes<Rule>(columns));
        float* slots[Hand::slots];
        for (int k = 0; k < Hand::slots; ++k) slots[k] = ours.slot(k);
        auto const step = [&] {
            xgrad::kernels::update_reduced<Rule, float>(
                state.prepare(), ours.w.data(), ours.g.data(), slots, std::int64_t(columns), std::int64_t(rows), scratch.data());
            state.advance();
        };
        for (int i = 0; i < 4; ++i) {
            step();
            hand.step();
        }
        suite.agree(name, "largest difference of a parameter after 4 steps", bench::distance(ours.w, hand.w, rows * columns), 0, 1e-6);
        std::size_t const numbers[] = {rows * columns, rows, columns};
        for (int k = 0; k < Hand::slots; ++k)
            suite.agree(name, "largest difference of a slot after 4 steps",
                bench::distance(slots[k], hand.slot(k), numbers[k + 3 - Hand::slots]), 0, 1e-6);
        suite.row(name, step, [&] { hand.step(); });
    }
}

template<class Hand, class Rule>
void by_products(bench::suite& suite, std::string const& title, Rule const& rule, std::size_t rows, std::size_t columns) {
    std::string const name = title + ", " + std::to_string(rows) + " x " + std::to_string(columns);
    if (!suite.wanted(name)) return;
    Hand hand(rows, columns);
    hand::matrix_state ours(rows, columns);
    bench::clocked<Rule> state(rule);
    std::int64_t const n = std::int64_t(rows), m = std::int64_t(columns);
    hand::buffer<char> memory(xgrad::kernels::matrix_scratch<Rule, float>(n, m).all + 64);
    void* const scratch = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    hand::buffer<double> left(rows * rows), right(columns * columns), left_root(rows * rows), right_root(columns * columns);
    void* slots[] = {ours.momentum.data(), left.data(), right.data(), left_root.data(), right_root.data()};
    auto const step = [&] {
        xgrad::kernels::update_matrix<Rule, float>(state.prepare(), ours.w.data(), ours.g.data(), slots, n, m, scratch);
        state.advance();
    };
    for (int i = 0; i < 3; ++i) {
        step();
        hand.step();
    }
    suite.agree(name, "largest difference of a parameter after 3 steps", bench::distance(ours.w, hand.w, rows * columns), 0, 1e-6);
    suite.agree(
        name, "largest difference of the momentum after 3 steps", bench::distance(ours.momentum, hand.momentum, rows * columns), 0, 1e-5);
    suite.row(name, step, [&] { hand.step(); });
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "updates of matrices");
    rows_and_columns<hand::adafactor>(suite, "Adafactor", xgrad::adafactor{});
    rows_and_columns<hand::sm3>(suite, "SM3", xgrad::sm3{});
    by_products<hand::muon>(suite, "Muon", xgrad::muon{}, 128, 128);
    by_products<hand::muon>(suite, "Muon", xgrad::muon{}, 512, 256);
    by_products<hand::shampoo>(suite, "Shampoo", xgrad::shampoo{}, 64, 32);
    by_products<hand::shampoo>(suite, "Shampoo", xgrad::shampoo{}, 128, 128);
    return suite.finish();
}
