// SPDX-License-Identifier: MIT
// A rule with slots of every scope and type in memory and with every reduction, against loops over elements: dense, by rows and over a whole table.
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <random>
#include <vector>

#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::table;

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

/// The same by the words of optim/rule.hpp, on the rows in `rows`.
template<class Rule, class T>
void by_elements(table<Rule, T>& v, std::vector<T> const& grad, std::vector<std::size_t> const& rows) {
    auto const width = static_cast<std::size_t>(v.row);
    auto const s = v.rule.template prepare<T>(v.step, v.powers);
    if (!rows.empty() && width > 0) {
        double variable[2] = {0, 0};
        std::vector<double> row(static_cast<std::size_t>(v.rows)), column(width), column_mean(width);
        for (std::size_t r : rows) {
            for (std::size_t j = 0; j < width; ++j) {
                std::size_t const i = r * width + j;
                T const slot[5] = {v.slots[0][i], 0, 0, 0, v.slots[4][i]};
                T term[5];
                Rule::terms(s, v.param[i], grad[i], slot, term);
                variable[0] += static_cast<double>(term[0]);
                variable[1] += static_cast<double>(term[4]);
                row[r] += static_cast<double>(term[1]);
                column[j] += static_cast<double>(term[2]);
                column_mean[j] += static_cast<double>(term[3]);
            }
        }
        T const all = static_cast<T>(variable[0]), mean = static_cast<T>(variable[1] / static_cast<double>(rows.size() * width));
        auto const row_of = [&](std::size_t r) { return static_cast<T>(row[r] / static_cast<double>(width)); };
        auto const mean_of = [&](std::size_t j) { return static_cast<T>(column_mean[j] / static_cast<double>(rows.size())); };
        T slot[5] = {0, 0, 0, v.slots[3][0], 0};
        T const of_variable[5] = {all, 0, 0, 0, mean};
        Rule::advance_variable(s, slot, of_variable);
        v.slots[3][0] = slot[3];
        for (std::size_t j = 0; j < width; ++j) {
            T of[5] = {0, 0, v.slots[2][j], v.slots[3][0], 0};
            T const reduced[5] = {all, 0, static_cast<T>(column[j]), mean_of(j), mean};
            Rule::advance_column(s, of, reduced);
            v.slots[2][j] = of[2];
        }
        for (std::size_t r : rows) {
            T of[5] = {0, v.slots[1][r], 0, v.slots[3][0], 0};
            T const reduced[5] = {all, row_of(r), 0, 0, mean};
            Rule::advance_row(s, of, reduced);
            v.slots[1][r] = as(dtype::float32, of[1]);
            for (std::size_t j = 0; j < width; ++j) {
                std::size_t const i = r * width + j;
                T element[5] = {v.slots[0][i], v.slots[1][r], v.slots[2][j], v.slots[3][0], v.slots[4][i]};
                T const values[5] = {all, row_of(r), static_cast<T>(column[j]), mean_of(j), mean};
                Rule::update(s, v.param[i], grad[i], element, values);
                v.slots[0][i] = as(dtype::bfloat16, element[0]);
                v.slots[4][i] = element[4];
            }
        }
    }
    advance_powers_of(v.rule, v.powers, v.step);
    ++v.step;
}

struct numbers {
    std::mt19937 random{7};
    template<class T>
    std::vector<T> many(std::int64_t n) {
        std::vector<T> v;
        for (std::int64_t i = 0; i < n; ++i) v.push_back(static_cast<T>(static_cast<int>(random() % 65) - 32) / 16);
        return v;
    }
};
template<class Rule, class T>
bool same(table<Rule, T> const& a, table<Rule, T> const& b) {
    return a.param == b.param && a.slots == b.slots;
}

template<class Rule, class T>
void sparse_sizes() {
    numbers number;
    for (std::int64_t row : {1, 2, 3, 5, 8, 15, 16, 17, 33, 64}) {
        for (std::int64_t rows : {1, 3, 40}) {
            for (int n : {0, 1, 5, 90}) {
                table<Rule, T> fast({}, row, number.many<T>(rows * row)), slow = fast;
                for (int step = 0; step < 2; ++step) {
                    std::vector<std::int32_t> indices;
                    for (int k = 0; k < n; ++k)
                        indices.push_back(static_cast<std::int32_t>(number.random() % static_cast<std::uint32_t>(rows)));
                    auto const values = number.many<T>(n * row);
                    std::vector<T> grad(fast.param.size(), T(0));
                    std::vector<std::size_t> present;
                    for (std::size_t k = 0; k < indices.size(); ++k) {
                        auto const r = static_cast<std::size_t>(indices[k]), width = static_cast<std::size_t>(row);
                        if (std::find(present.begin(), present.end(), r) == present.end()) present.push_back(r);
                        for (std::size_t e = 0; e < width; ++e) grad[r * width + e] += values[k * width + e];
                    }
                    if (Rule::sparse == sparse_semantics::exact) {
                        present.clear();
                        for (std::int64_t r = 0; r < rows; ++r) present.push_back(static_cast<std::size_t>(r));
                    }
                    fast.sparse(indices, values);
                    by_elements(slow, grad, present);
                }
                INFO(n << " of " << rows << " rows of " << row);
                CHECK(same(fast, slow));
            }
        }
    }
}
}   // namespace

TEST_CASE_TEMPLATE("every scope and reduction, dense", T, XGRAD_TESTED_TYPES) {
    numbers number;
    for (std::int64_t row : {1, 2, 7, 8, 9, 16, 31, 32, 33, 50}) {
        for (std::int64_t rows : {1, 2, 3, 17}) {
            table<lazily, T> fast({}, row, number.many<T>(rows * row)), slow = fast;
            std::vector<std::size_t> all;
            for (std::int64_t r = 0; r < rows; ++r) all.push_back(static_cast<std::size_t>(r));
            for (int step = 0; step < 3; ++step) {
                auto const grad = number.many<T>(rows * row);
                fast.dense(grad);
                by_elements(slow, grad, all);
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
/// Reductions of every scope in stages, each of what the earlier ones give and of the slots that the first has moved. A slot of the variable, or one more
/// of each element in its place.
template<std::array Reductions, bool OfVariable, sparse_semantics Sparse>
struct staged {
    static constexpr std::string_view name = "staged";
    static constexpr std::array slots{
        slot_info("m"), slot_info("r", per::row), slot_info("c", per::column), slot_info("v", OfVariable ? per::variable : per::element)};
    static constexpr auto reductions = Reductions;
    static constexpr auto sparse = Sparse;
    static constexpr int count = static_cast<int>(Reductions.size());
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static V sum_of(V const* slot, V const* reduced) {
        V all = slot[0] - V(T(0.5)) * slot[1] + V(T(0.25)) * slot[2] + slot[3];
        for (int k = 0; k < count; ++k) all = all + reduced[k] * V(T(k % 2 == 0 ? 0.125 * (k + 1) : -0.25));
        return all;
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V param, V grad, V const* slot, V const* reduced, V* term) {
        for (int k = 0; k < count; ++k) term[k] = grad * V(T(k + 1)) - V(T(0.5)) * param + sum_of<T, V>(slot, reduced) * grad;
    }
    template<class T>
    static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[1] = T(0.5) * slot[1] + sum_of<T, T>(slot, reduced);
    }
    template<class T>
    static void advance_column(scalars<T> const&, T* slot, T const* reduced) {
        slot[2] = T(0.25) * slot[2] - sum_of<T, T>(slot, reduced);
    }
    template<class T>
    static void advance_variable(scalars<T> const&, T* slot, T const* reduced) {
        slot[3] = T(0.5) * slot[3] + T(0.25) * sum_of<T, T>(slot, reduced);
    }
    template<class T, class V>
    static void update(scalars<T> const&, V& param, V grad, V* slot, V const* reduced) {
        V const all = sum_of<T, V>(slot, reduced);
        slot[0] = V(T(0.5)) * slot[0] + grad;
        if (!OfVariable) slot[3] = grad - slot[3];
        param = param * V(T(0.5)) - all;
    }
};

/// The same by the words of optim/rule.hpp, on the rows in `rows`.
template<class Rule, class T>
void stages_by_elements(table<Rule, T>& v, std::vector<T> const& grad, std::vector<std::size_t> const& rows) {
    if (rows.empty()) return;
    constexpr std::size_t n = Rule::reductions.size();
    auto const width = static_cast<std::size_t>(v.row);
    auto const s = v.rule.template prepare<T>(v.step, v.powers);
    constexpr bool of_variable = Rule::slots[3].scope == per::variable;
    // Of reduction k: the value for element j of row r.
    std::vector<std::vector<T>> values(n, std::vector<T>(v.param.size()));
    auto const slots_at = [&](std::size_t i, bool all, T* to) {
        to[0] = v.slots[0][i];
        to[1] = all ? v.slots[1][i / width] : T(0);
        to[2] = all ? v.slots[2][i % width] : T(0);
        to[3] = !of_variable ? v.slots[3][i] : all ? v.slots[3][0] : T(0);
    };
    for (int stage = 0; stage <= Rule::reductions.back().stage; ++stage) {
        std::vector<std::vector<double>> sums(n, std::vector<double>(v.param.size()));
        auto const place = [&](std::size_t k, std::size_t i) {
            per const scope = Rule::reductions[k].scope;
            return scope == per::row ? i / width : scope == per::column ? i % width : 0;
        };
        for (std::size_t r : rows)
            for (std::size_t i = r * width; i < (r + 1) * width; ++i) {
                T slot[4], reduced[n], term[n];
                slots_at(i, stage > 0, slot);
                for (std::size_t k = 0; k < n; ++k) reduced[k] = Rule::reductions[k].stage < stage ? values[k][i] : T(0);
                Rule::terms(s, v.param[i], grad[i], static_cast<T const*>(slot), static_cast<T const*>(reduced), term);
                for (std::size_t k = 0; k < n; ++k) sums[k][place(k, i)] += static_cast<double>(term[k]);
            }
        for (std::size_t k = 0; k < n; ++k) {
            reduction_info const& how = Rule::reductions[k];
            if (how.stage != stage) continue;
            auto const elements = how.scope == per::row ? width : how.scope == per::column ? rows.size() : rows.size() * width;
            for (std::size_t i = 0; i < v.param.size(); ++i)
                values[k][i] = static_cast<T>(sums[k][place(k, i)] / (how.kind == reduction::mean ? static_cast<double>(elements) : 1.0));
        }
        if (stage > 0) continue;
        auto const seen = [&](std::size_t i, per scope, T* reduced) {
            for (std::size_t k = 0; k < n; ++k) {
                reduction_info const& how = Rule::reductions[k];
                reduced[k] = how.stage == 0 && (how.scope == scope || how.scope == per::variable) ? values[k][i] : T(0);
            }
        };
        T reduced[n];
        auto const variable = [&] { return of_variable ? v.slots[3][0] : T(0); };
        if (of_variable) {
            T slot[4] = {0, 0, 0, v.slots[3][0]};
            seen(0, per::variable, reduced);
            Rule::advance_variable(s, slot, reduced);
            v.slots[3][0] = slot[3];
        }
        for (std::size_t j = 0; j < width; ++j) {
            T slot[4] = {0, 0, v.slots[2][j], variable()};
            seen(j, per::column, reduced);
            Rule::advance_column(s, slot, reduced);
            v.slots[2][j] = slot[2];
        }
        for (std::size_t r : rows) {
            T slot[4] = {0, v.slots[1][r], 0, variable()};
            seen(r * width, per::row, reduced);
            Rule::advance_row(s, slot, reduced);
            v.slots[1][r] = slot[1];
        }
    }
    for (std::size_t r : rows)
        for (std::size_t i = r * width; i < (r + 1) * width; ++i) {
            T slot[4], reduced[n];
            slots_at(i, true, slot);
            for (std::size_t k = 0; k < n; ++k) reduced[k] = values[k][i];
            Rule::update(s, v.param[i], grad[i], slot, static_cast<T const*>(reduced));
            v.slots[0][i] = slot[0];
            if (!of_variable) v.slots[3][i] = slot[3];
        }
}

template<class Rule, class T>
void check_stages() {
    static_assert(UpdateRule<Rule> && explain_rule<Rule>());
    numbers number;
    double const tolerance = sizeof(T) == 8 ? 1e-11 : 2e-4;
    auto const close = [&](std::vector<T> const& a, std::vector<T> const& b) {
        double largest = 1;
        for (T e : b) largest = std::max(largest, std::abs(static_cast<double>(e)));
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= tolerance * largest)) return false;
        return true;
    };
    for (std::int64_t row : {1, 2, 7, 8, 9, 16, 17, 33})
        for (std::int64_t rows : {1, 2, 5, 11})
            for (bool sparse : {false, true}) {
                table<Rule, T> fast({}, row, number.many<T>(rows * row)), slow = fast;
                for (int step = 0; step < 2; ++step) {
                    std::vector<std::size_t> present;
                    std::vector<T> grad(fast.param.size(), T(0));
                    if (!sparse) {
                        grad = number.many<T>(rows * row);
                        fast.dense(grad);
                    } else {
                        std::vector<std::int32_t> indices;
                        for (int k = 0; k < 4; ++k)
                            indices.push_back(static_cast<std::int32_t>(number.random() % static_cast<std::uint32_t>(rows)));
                        auto const slices = number.many<T>(4 * row);
                        for (std::size_t k = 0; k < indices.size(); ++k) {
                            auto const r = static_cast<std::size_t>(indices[k]), width = static_cast<std::size_t>(row);
                            if (std::find(present.begin(), present.end(), r) == present.end()) present.push_back(r);
                            for (std::size_t e = 0; e < width; ++e) grad[r * width + e] += slices[k * width + e];
                        }
                        fast.sparse(indices, slices);
                    }
                    if (!sparse || Rule::sparse == sparse_semantics::exact) {
                        present.clear();
                        for (std::int64_t r = 0; r < rows; ++r) present.push_back(static_cast<std::size_t>(r));
                    }
                    stages_by_elements(slow, grad, present);
                    ++slow.step;
                }
                INFO(rows << " rows of " << row << (sparse ? ", by rows" : ""));
                CHECK(close(fast.param, slow.param));
                for (std::size_t k = 0; k < 4; ++k) CHECK(close(fast.slots[k], slow.slots[k]));
            }
}
constexpr auto average = reduction::mean;
// All scopes in all stages; rows and columns alone in the first; rows alone throughout; a stage of rows between; a sum of columns at the end.
constexpr std::array all_scopes{reduction_info(per::row, average), reduction_info(per::column, average),
    reduction_info(per::variable, average), reduction_info(per::variable, average, 1), reduction_info(per::row, average, 1),
    reduction_info(per::column, average, 1), reduction_info(per::row, average, 2), reduction_info(per::variable, average, 2)};
constexpr std::array rows_and_columns{reduction_info(per::row, average), reduction_info(per::column, average),
    reduction_info(per::variable, average, 1), reduction_info(per::variable, average, 2)};
constexpr std::array rows_alone{reduction_info(per::row, average), reduction_info(per::row, average, 1)};
constexpr std::array rows_between{
    reduction_info(per::variable, average), reduction_info(per::row, average, 1), reduction_info(per::column, average, 2)};
}   // namespace

TEST_CASE_TEMPLATE("reductions of reductions", T, XGRAD_TESTED_TYPES) {
    check_stages<staged<all_scopes, true, sparse_semantics::lazy>, T>();
    check_stages<staged<all_scopes, false, sparse_semantics::exact>, T>();
    check_stages<staged<rows_and_columns, true, sparse_semantics::exact>, T>();
    check_stages<staged<rows_and_columns, false, sparse_semantics::lazy>, T>();
    check_stages<staged<rows_alone, false, sparse_semantics::lazy>, T>();
    check_stages<staged<rows_between, false, sparse_semantics::exact>, T>();
}
