// SPDX-License-Identifier: MIT
// Update rules that reduce over the rows of a table, on the rows that occur in a sparse gradient, compared with hand-written loops.
#include "clocked.hpp"
#include "frame.hpp"
#include "hand/row_rules.hpp"

#include <xgrad/kernels/updates/update_reduced.hpp>
#include <xgrad/sparse/coalesce.hpp>

namespace {

template<class Hand, class Rule>
void rows_of_table(bench::suite& suite, std::string const& title, Rule const& rule) {
    std::string const name = title + ", 8192 Zipf ids of 1M x 32";
    if (!suite.wanted(name)) return;
    using loop = hand::row_update<Hand>;
    constexpr std::int64_t rows = 1000000, row = loop::dim, n = 8192;
    loop hand;
    hand::buffer<float> table(rows * row), slot[2];
    for (std::int32_t r = 0; r < rows; ++r)
        for (int d = 0; d < row; ++d) table[r * row + d] = hand.initial(r, d);
    float* slots[2] = {};
    for (int k = 0; k < loop::slots; ++k) {
        slot[k] = hand::buffer<float>(std::size_t(rows) * loop::width(k));
        slots[k] = slot[k];
        std::fill_n(slots[k], slot[k].size(), float(xgrad::slot_init_of(rule, k)));
    }
    hand::buffer<char> memory(xgrad::sparse::group_bytes(n, rows) + 64);
    void* const workspace = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    bench::clocked<Rule> state(rule);
    std::size_t turn = 0;
    auto const step = [&] {
        auto const groups = xgrad::sparse::group_rows(hand.ids[turn++ % hand.ids.size()].data(), n, rows, workspace);
        xgrad::kernels::update_reduced_rows<Rule, row, float>(
            state.prepare(), table.data(), slots, row, groups, {hand.gradients.data(), row}, nullptr);
        state.advance();
    };
    for (int i = 0; i < 3; ++i) {
        step();
        hand.step();
    }
    suite.agree(
        name, "largest difference of a parameter after 3 steps", bench::distance(table, hand.weight(0), std::size_t(rows * row)), 0, 1e-6);
    for (int k = 0; k < loop::slots; ++k)
        suite.agree(name, "largest difference of a slot after 3 steps", bench::distance(slots[k], hand.slot[k], slot[k].size()), 0, 1e-6);
    suite.row(name, step, [&] { hand.step(); });
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "updates of rows");
    rows_of_table<hand::rowwise_adagrad>(suite, "row-wise Adagrad", xgrad::rowwise_adagrad{});
    rows_of_table<hand::rowwise_rms_prop>(suite, "row-wise RMSProp", xgrad::rowwise_rms_prop{});
    rows_of_table<hand::group_adagrad>(suite, "group Adagrad", xgrad::group_adagrad{.l21 = 0.01, .l2 = 0.02});
    rows_of_table<hand::group_ftrl>(suite, "group Ftrl", xgrad::group_ftrl{.l1 = 0.01, .l2 = 0.02, .l21 = 0.01});
    rows_of_table<hand::partial_rowwise_adam>(suite, "partial row-wise Adam", xgrad::partial_rowwise_adam{});
    return suite.finish();
}
