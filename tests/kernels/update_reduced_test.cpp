// SPDX-License-Identifier: MIT
// A rule with slots of every scope and type in memory and with every reduction, compared with loops over elements: dense, by rows and over
// a whole table.
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <vector>

#include "kernels/reduced_rules.hpp"

using namespace xgrad;
using namespace reduced_rules;

namespace {
/// Numbers are whole multiples of powers of two, so that sums in double are exact and their order does not matter.
template<sparse_semantics Sparse>
struct everything {
    static constexpr std::string_view name = "everything";
    static constexpr std::array slots{slot_info("m", dtype::bfloat16), slot_info("r", dtype::float32, per::row),
        slot_info("c", per::column), slot_info("v", dtype::float64, per::variable), slot_info("n"), slot_info("steps", per::optimizer)};
    static constexpr std::array reductions{reduction_info(per::variable), reduction_info(per::row, reduction::mean),
        reduction_info(per::column), reduction_info(per::column, reduction::mean), reduction_info(per::variable, reduction::mean)};
    static constexpr auto sparse = Sparse;
    double slot_init(int slot) const { return slot == 0 ? 0.5 : slot; }
    template<class T>
    struct scalars {
        T step;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p) const {
        return {static_cast<T>(p[0])};
    }
    void advance_powers(double* p, std::int64_t) const { p[0] += 1; }

    template<class T, class V>
    static void terms(scalars<T> const&, V param, V grad, V const* slot, V* term) {
        term[0] = grad + slot[0] + slot[1] + slot[2] + slot[3];   // those not per element are 0
        term[1] = grad * V(T(2));
        term[2] = grad - slot[0];
        term[3] = param;
        term[4] = grad;
    }
    template<class T>
    static void advance_variable(scalars<T> const& s, T* slot, T const* reduced) {
        slot[3] = slot[3] / T(2) + reduced[0] + reduced[1] + reduced[2] + reduced[4] + slot[0] + slot[1] + slot[2] + s.step;
    }
    template<class T>
    static void advance_column(scalars<T> const&, T* slot, T const* reduced) {
        slot[2] = slot[2] / T(2) + reduced[2] + reduced[3] * T(4) + reduced[0] + reduced[1] + slot[3] + slot[0] + slot[1];
    }
    template<class T>
    static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[1] = slot[1] / T(2) + reduced[1] + reduced[2] + reduced[4] + slot[3] + slot[0] + slot[2];
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V* slot, V const* reduced) {
        slot[0] = slot[0] * V(T(0.25)) + grad;
        slot[4] = slot[4] + grad * slot[1];
        param = param - V(s.step) * grad - slot[0] + slot[2] + reduced[0] - reduced[1] + reduced[2] * V(T(3)) - reduced[3] + slot[3];
        slot[1] = slot[2] = slot[3] = V(T(99));   // dropped
    }
};
using lazily = everything<sparse_semantics::lazy>;
using exactly = everything<sparse_semantics::exact>;
static_assert(UpdateRule<lazily> && UpdateRule<exactly> && !moves_elements<lazily> && slot_count<lazily> == 5 && power_count<lazily> == 1);
static_assert(explain_rule<lazily>());

template<class T>
T as(dtype d, T x) {
    if (d == dtype::bfloat16) return static_cast<T>(static_cast<float>(bfloat16(static_cast<float>(x))));
    return d == dtype::float32 ? static_cast<T>(static_cast<float>(x)) : x;
}

/// Sums of columns: what `at_once` rows give is added up in T before.
template<class T>
struct column_sum {
    std::size_t rows, at_once;
    std::vector<double> sum;
    std::vector<T> part;
    column_sum(std::size_t count, std::size_t together, std::size_t width) : rows(count), at_once(together), sum(width), part(width) {}
    void add(std::size_t n, std::size_t j, T x) {
        bool const alone = n / at_once * at_once + at_once > rows, first = n % at_once == 0;
        part[j] = alone || first ? x : part[j] + x;
        if (alone || n % at_once == at_once - 1) sum[j] += static_cast<double>(part[j]);
    }
};

/// The same by the words of optim/rule.hpp, on the rows in `rows`.
template<class Rule, class T>
void by_elements(table<Rule, T>& v, std::vector<T> const& grad, std::vector<std::size_t> const& rows, std::size_t at_once = 1) {
    auto const width = static_cast<std::size_t>(v.row);
    auto const s = v.rule.template prepare<T>(v.step, v.powers);
    if (!rows.empty() && width > 0) {
        double variable[2] = {0, 0};
        std::vector<double> row(static_cast<std::size_t>(v.rows));
        column_sum<T> column(rows.size(), at_once, width), column_mean = column;
        for (std::size_t n = 0; n < rows.size(); ++n) {
            std::size_t const r = rows[n];
            for (std::size_t j = 0; j < width; ++j) {
                std::size_t const i = r * width + j;
                T const slot[5] = {static_cast<T>(v.slots[0][i]), 0, 0, 0, static_cast<T>(v.slots[4][i])};
                T term[5];
                Rule::terms(s, v.param[i], grad[i], slot, term);
                variable[0] += static_cast<double>(term[0]);
                variable[1] += static_cast<double>(term[4]);
                row[r] += static_cast<double>(term[1]);
                column.add(n, j, term[2]);
                column_mean.add(n, j, term[3]);
            }
        }
        T const all = static_cast<T>(variable[0]), mean = static_cast<T>(variable[1] / static_cast<double>(rows.size() * width));
        auto const row_of = [&](std::size_t r) { return static_cast<T>(row[r] / static_cast<double>(width)); };
        auto const mean_of = [&](std::size_t j) { return static_cast<T>(column_mean.sum[j] / static_cast<double>(rows.size())); };
        T slot[5] = {0, 0, 0, static_cast<T>(v.slots[3][0]), 0};
        T const of_variable[5] = {all, 0, 0, 0, mean};
        Rule::advance_variable(s, slot, of_variable);
        v.slots[3][0] = slot[3];
        for (std::size_t j = 0; j < width; ++j) {
            T of[5] = {0, 0, static_cast<T>(v.slots[2][j]), static_cast<T>(v.slots[3][0]), 0};
            T const reduced[5] = {all, 0, static_cast<T>(column.sum[j]), mean_of(j), mean};
            Rule::advance_column(s, of, reduced);
            v.slots[2][j] = of[2];
        }
        for (std::size_t r : rows) {
            T of[5] = {0, static_cast<T>(v.slots[1][r]), 0, static_cast<T>(v.slots[3][0]), 0};
            T const reduced[5] = {all, row_of(r), 0, 0, mean};
            Rule::advance_row(s, of, reduced);
            v.slots[1][r] = as(dtype::float32, of[1]);
            for (std::size_t j = 0; j < width; ++j) {
                std::size_t const i = r * width + j;
                T element[5] = {static_cast<T>(v.slots[0][i]), static_cast<T>(v.slots[1][r]), static_cast<T>(v.slots[2][j]),
                    static_cast<T>(v.slots[3][0]), static_cast<T>(v.slots[4][i])};
                T const values[5] = {all, row_of(r), static_cast<T>(column.sum[j]), mean_of(j), mean};
                Rule::update(s, v.param[i], grad[i], element, values);
                v.slots[0][i] = as(dtype::bfloat16, element[0]);
                v.slots[4][i] = element[4];
            }
        }
    }
    advance_powers_of(v.rule, v.powers, v.step);
    ++v.step;
}

template<class Rule, class T>
bool same(table<Rule, T> const& a, table<Rule, T> const& b) {
    return a.param == b.param && a.slots == b.slots;
}

/// Row: the length that the kernel knows.
template<class Rule, class T, int Row = -1>
void sparse_rows(std::int64_t row) {
    numbers number;
    for (std::int64_t rows : {1, 3, 40}) {
        for (int n : {0, 1, 5, 90}) {
            table<Rule, T> fast({}, row, number.many<T>(rows * row)), slow = fast;
            for (int step = 0; step < 2; ++step) {
                slices<T> const given(number, n, rows, row);
                fast.template sparse<std::int32_t, Row>(given.indices, given.values);
                by_elements(slow, given.sum, Rule::sparse == sparse_semantics::exact ? all_rows(rows) : given.present);
            }
            INFO(n << " of " << rows << " rows of " << row);
            CHECK(same(fast, slow));
        }
    }
}
/// Up to rows that are too long for a sum of their slices that is kept.
template<class Rule, class T>
void sparse_sizes() {
    for (std::int64_t row : {1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 1024, 1030}) sparse_rows<Rule, T>(row);
    sparse_rows<Rule, T, 3>(3);
    sparse_rows<Rule, T, 35>(35);
    sparse_rows<Rule, T, 1030>(1030);
}
}   // namespace

TEST_CASE_TEMPLATE("every scope and reduction, dense", T, XGRAD_TESTED_TYPES) {
    numbers number;
    for (std::int64_t row : {1, 2, 7, 8, 9, 16, 31, 32, 33, 50}) {
        for (std::int64_t rows : {1, 2, 3, 17}) {
            table<lazily, T> fast({}, row, number.many<T>(rows * row)), slow = fast;
            for (int step = 0; step < 3; ++step) {
                auto const grad = number.many<T>(rows * row);
                fast.dense(grad);
                by_elements(slow, grad, all_rows(rows), 4);
            }
            INFO(rows << " rows of " << row);
            CHECK(same(fast, slow));
        }
    }
}

TEST_CASE_TEMPLATE("every scope and reduction, the rows that occur", T, XGRAD_TESTED_TYPES) { sparse_sizes<lazily, T>(); }

TEST_CASE_TEMPLATE("every scope and reduction, all rows", T, XGRAD_TESTED_TYPES) { sparse_sizes<exactly, T>(); }

namespace {
/// A sum over the variable of terms of very different size.
struct long_sum {
    static constexpr std::string_view name = "long_sum";
    static constexpr std::array slots{slot_info("sum", dtype::float64, per::variable)};
    static constexpr std::array reductions{reduction_info(per::variable)};
    static constexpr auto sparse = sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T>
    static void advance_variable(scalars<T> const&, T* slot, T const* reduced) {
        slot[0] = reduced[0];
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
};
static_assert(UpdateRule<long_sum> && long_sum::name == "long_sum" && long_sum::sparse == sparse_semantics::exact);
}   // namespace

TEST_CASE("floats are summed in double") {
    std::vector<float> grad(1 << 20, 0.1f);
    table<long_sum, float> v({}, 1 << 10, grad);
    v.dense(grad);
    CHECK(v.slots[0][0] == static_cast<float>(static_cast<double>(0.1f) * (1 << 20)));
}

namespace {
// Two stages of rows alone.
constexpr std::array rows_alone{reduction_info(per::row, average), reduction_info(per::row, average, 1)};
}   // namespace

TEST_CASE_TEMPLATE("reductions of reductions of rows", T, XGRAD_TESTED_TYPES) {
    check_stages<staged<rows_alone, false, sparse_semantics::lazy>, T>();
}
