// SPDX-License-Identifier: MIT
// Update kernels: the SIMD body against the scalar body bit for bit, dense, by rows and over a whole table.
#include <xgrad/optim/rules/adagrad.hpp>
#include <xgrad/optim/rules/adam.hpp>
#include <xgrad/optim/rules/adamw.hpp>
#include <xgrad/optim/rules/ftrl.hpp>
#include <xgrad/optim/rules/lazy_adam.hpp>
#include <xgrad/optim/rules/momentum.hpp>
#include <xgrad/optim/rules/sgd.hpp>
#include <xgrad/sparse/coalesce.hpp>

#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <random>
#include <vector>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::scalar_step;
using xgrad_test::table;

namespace {
struct numbers {
    std::mt19937 random{7};
    double operator()() { return static_cast<double>(static_cast<int>(random() % 4001) - 2000) / 1024.0; }
    template<class T>
    std::vector<T> many(std::int64_t n) {
        std::vector<T> v;
        for (std::int64_t i = 0; i < n; ++i) v.push_back(static_cast<T>((*this)()));
        return v;
    }
};

template<class Rule, class T>
void dense_sizes(Rule rule) {
    numbers number;
    for (std::int64_t n = 0; n <= 3 * static_cast<std::int64_t>(simd::width<T>) + 1; ++n) {
        table<Rule, T> simd(rule, 1, number.many<T>(n)), scalar = simd;
        std::vector<char> const all(static_cast<std::size_t>(n), 1);
        for (int step = 0; step < 3; ++step) {
            auto const g = number.many<T>(n);
            simd.dense(g);
            scalar_step(scalar, g, all);
        }
        INFO(Rule::name << ", " << n << " elements of " << sizeof(T) << " bytes");
        CHECK(simd.param == scalar.param);
        CHECK(simd.slots == scalar.slots);
    }
}

template<class Rule, class T>
void sparse_sizes(Rule rule) {
    numbers number;
    for (std::int64_t row : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 50, 64, 100}) {
        for (std::int64_t rows : {1, 3, 40, 700}) {
            for (int n : {0, 1, 5, 90}) {
                table<Rule, T> fast(rule, row, number.many<T>(rows * row)), scalar = fast;
                for (int step = 0; step < 2; ++step) {
                    std::vector<std::int32_t> indices;
                    for (int k = 0; k < n; ++k)
                        indices.push_back(static_cast<std::int32_t>(number.random() % static_cast<std::uint32_t>(rows)));
                    auto const values = number.many<T>(n * row);
                    fast.sparse(indices, values);
                    // dense gradient and marks by the definition: sums in order of k, first one copied
                    std::vector<T> g(static_cast<std::size_t>(rows * row), T(0));
                    std::vector<char> touched(g.size(), 0);
                    for (std::size_t k = 0; k < indices.size(); ++k) {
                        for (std::int64_t e = 0; e < row; ++e) {
                            auto const at = static_cast<std::size_t>(indices[k] * row + e);
                            T const x = values[k * static_cast<std::size_t>(row) + static_cast<std::size_t>(e)];
                            g[at] = touched[at] != 0 ? g[at] + x : x;
                            touched[at] = 1;
                        }
                    }
                    scalar_step(scalar, g, touched);
                }
                INFO(Rule::name << ", " << n << " of " << rows << " rows of " << row);
                CHECK(fast.param == scalar.param);
                CHECK(fast.slots == scalar.slots);
            }
        }
    }
}

template<int Row, class Rule, class T>
void static_row(Rule rule) {
    numbers number;
    std::int64_t const rows = 300;
    table<Rule, T> a(rule, Row, number.many<T>(rows * Row)), b = a;
    std::vector<std::int32_t> indices;
    for (std::int32_t r = 0; r < 200; ++r) indices.push_back((r * 7) % 300);
    auto const g = number.many<T>(200 * Row);
    T *at[2] = {}, *bt[2] = {};
    for (std::size_t k = 0; k < a.slots.size(); ++k) {
        at[k] = a.slots[k].data();
        bt[k] = b.slots[k].data();
    }
    auto const s = rule.template prepare<T>(0, a.powers);
    kernels::update_rows<Rule>(s, a.param.data(), at, Row, indices.data(), 200, g.data());
    kernels::update_rows<Rule, Row>(s, b.param.data(), bt, Row, indices.data(), 200, g.data());
    CHECK(a.param == b.param);
    CHECK(a.slots == b.slots);
}
}   // namespace

TEST_CASE_TEMPLATE("dense: SIMD and scalar body give the same bits for every size", T, XGRAD_TESTED_TYPES) {
    dense_sizes<gradient_descent, T>({});
    dense_sizes<momentum, T>({});
    dense_sizes<momentum, T>({.use_nesterov = true});
    dense_sizes<adagrad, T>({});
    dense_sizes<adam, T>({});
    dense_sizes<lazy_adam, T>({});
    dense_sizes<adamw, T>({});
    dense_sizes<ftrl, T>({.learning_rate = 0.2, .l1 = 0.5, .l2 = 0.25, .l2_shrinkage = 0.125});
    dense_sizes<ftrl, T>({.learning_rate = 0.2, .learning_rate_power = 0});
    dense_sizes<ftrl, T>({.learning_rate = 0.2, .learning_rate_power = -1, .initial_accumulator = 0});
}

TEST_CASE_TEMPLATE("dense: arrays of any alignment", T, XGRAD_TESTED_TYPES) {
    numbers number;
    auto const start = number.many<T>(101), g = number.many<T>(101);
    adam const rule;
    double powers[2];
    init_powers_of(rule, powers);
    auto const s = rule.prepare<T>(0, powers);
    std::vector<T> expected;
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::vector<T> p(start), gs(shift), m(110, T(0)), v(110, T(0));
        p.insert(p.begin(), shift, T(9));
        gs.insert(gs.end(), g.begin(), g.end());
        T* slots[] = {m.data() + shift, v.data() + shift};
        kernels::update_dense<adam>(s, p.data() + shift, gs.data() + shift, slots, 101);
        p.erase(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(shift));
        expected = shift == 0 ? p : expected;
        CHECK(p == expected);
    }
}

TEST_CASE_TEMPLATE("rows: the same bits as the scalar body for every row length", T, XGRAD_TESTED_TYPES) {
    sparse_sizes<gradient_descent, T>({});
    sparse_sizes<momentum, T>({});
    sparse_sizes<adagrad, T>({});
    sparse_sizes<lazy_adam, T>({});
    sparse_sizes<ftrl, T>({.learning_rate = 0.2, .l1 = 0.5});
}

TEST_CASE_TEMPLATE("whole table: the same bits as the scalar body with a dense gradient", T, XGRAD_TESTED_TYPES) {
    sparse_sizes<adam, T>({});
    sparse_sizes<adamw, T>({.weight_decay = 0.125});
}

TEST_CASE_TEMPLATE("row length known at compile time", T, XGRAD_TESTED_TYPES) {
    static_row<1, adagrad, T>({});
    static_row<3, lazy_adam, T>({});
    static_row<8, adagrad, T>({});
    static_row<16, momentum, T>({});
    static_row<20, lazy_adam, T>({});
    static_row<32, gradient_descent, T>({});
}

namespace {
template<class Rule, class T>
void apply_slices(table<Rule, T>& to, std::vector<std::int32_t> const& indices, kernels::slice_values<T> const& values) {
    struct alignas(64) line {
        unsigned char bytes[64];
    };
    auto const n = static_cast<std::int64_t>(indices.size());
    std::vector<line> work(sparse::group_bytes(n, to.rows) / 64), sort(sparse::sort_bytes(n) / 64 + 1);
    auto const groups = sparse::group_rows(indices.data(), n, to.rows, work.data());
    T* slots[2] = {};
    for (std::size_t k = 0; k < to.slots.size(); ++k) slots[k] = to.slots[k].data();
    auto const s = to.rule.template prepare<T>(to.step, to.powers);
    if constexpr (Rule::sparse == sparse_semantics::exact) {
        auto const sorted = sparse::sort_groups(groups, to.rows, sort.data());
        kernels::update_all_rows<Rule, T>(s, to.param.data(), slots, to.row, to.rows, groups, sorted.rows, sorted.which, values);
    } else {
        kernels::update_rows<Rule, -1, T>(s, to.param.data(), slots, to.row, groups, values);
    }
}
/// Slices read in place, compared with the same slices copied into one array.
template<class Rule, class T>
void lying_slices(Rule rule) {
    numbers number;
    std::int64_t const rows = 60;
    for (std::int64_t row : {1, 2, 3, 8, 17, 32, 50, 100}) {
        for (bool twice : {false, true}) {
            for (std::int64_t inner : {1, 2, 5}) {
                for (std::int64_t inner_step : {std::int64_t{0}, row, row + 3}) {
                    for (std::int64_t step : {std::int64_t{0}, row, inner * (row + 3) + 1}) {
                        table<Rule, T> lying(rule, row, number.many<T>(rows * row)), copied = lying;
                        auto const memory = number.many<T>(40 * (inner * (row + 3) + 1));
                        std::vector<std::int32_t> indices;
                        std::vector<T> values;
                        for (std::int32_t p = 0; p < 33; ++p) {
                            indices.push_back(twice ? p * 7 % 20 : p * 7 % 60);
                            for (std::int64_t e = 0; e < row; ++e)
                                values.push_back(memory[static_cast<std::size_t>(p / inner * step + p % inner * inner_step + e)]);
                        }
                        apply_slices<Rule, T>(lying, indices, {memory.data(), step, inner, inner_step});
                        apply_slices<Rule, T>(copied, indices, {values.data(), row});
                        INFO(Rule::name << ", rows of " << row << ", inner " << inner << ", steps " << step << " and " << inner_step);
                        CHECK(lying.param == copied.param);
                        CHECK(lying.slots == copied.slots);
                    }
                }
            }
        }
    }
}
}   // namespace

TEST_CASE_TEMPLATE("slices at any distance, shared by several indices", T, XGRAD_TESTED_TYPES) {
    lying_slices<adagrad, T>({});
    lying_slices<lazy_adam, T>({});
    lying_slices<adam, T>({});
}

TEST_CASE("rows without elements, and no rows at all") {
    double powers[2] = {0.9, 0.999};
    auto const s = lazy_adam{}.prepare<float>(0, powers);
    std::int32_t const rows[] = {0, 1};
    float* slots[] = {nullptr, nullptr};
    kernels::update_rows<lazy_adam>(s, static_cast<float*>(nullptr), slots, 0, rows, 2, static_cast<float const*>(nullptr));
    kernels::update_rows<lazy_adam>(s, static_cast<float*>(nullptr), slots, 5, rows, 0, static_cast<float const*>(nullptr));
    kernels::update_all_rows<adam>(s, static_cast<float*>(nullptr), slots, 0, 2, {rows, nullptr, nullptr, 2}, rows, rows, {nullptr, 0});
}
