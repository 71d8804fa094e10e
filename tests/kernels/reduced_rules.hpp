// SPDX-License-Identifier: MIT
// Rules whose reductions come in stages, against loops over elements; and numbers for tests of rules with reductions.
#pragma once

#include <xgrad/optim/rule.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "optim/table.hpp"

namespace reduced_rules {
using namespace xgrad;
using xgrad_test::table;

/// Whole multiples of a power of two.
struct numbers {
    std::mt19937 random{7};
    template<class T>
    std::vector<T> many(std::int64_t n) {
        std::vector<T> v;
        for (std::int64_t i = 0; i < n; ++i) v.push_back(static_cast<T>(static_cast<int>(random() % 65) - 32) / 16);
        return v;
    }
};
/// Slices for `n` rows of a table [rows, row] drawn at random, and what they sum to.
template<class T>
struct slices {
    std::vector<std::int32_t> indices;
    std::vector<T> values, sum;
    std::vector<std::size_t> present;   // each row that occurs

    slices(numbers& number, int n, std::int64_t rows, std::int64_t row) : sum(static_cast<std::size_t>(rows * row), T(0)) {
        for (int k = 0; k < n; ++k) indices.push_back(static_cast<std::int32_t>(number.random() % static_cast<std::uint32_t>(rows)));
        values = number.many<T>(n * row);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            auto const r = static_cast<std::size_t>(indices[k]), width = static_cast<std::size_t>(row);
            if (std::find(present.begin(), present.end(), r) == present.end()) present.push_back(r);
            for (std::size_t e = 0; e < width; ++e) sum[r * width + e] += values[k * width + e];
        }
    }
};
inline std::vector<std::size_t> all_rows(std::int64_t rows) {
    std::vector<std::size_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

/// Reductions of every scope in stages. Each reads the results of the earlier ones and the slots that the first has moved.
/// A slot of the variable, or one more of each element in its place.
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
                        slices<T> const given(number, 4, rows, row);
                        grad = given.sum;
                        present = given.present;
                        fast.sparse(given.indices, given.values);
                    }
                    if (!sparse || Rule::sparse == sparse_semantics::exact) present = all_rows(rows);
                    stages_by_elements(slow, grad, present);
                    ++slow.step;
                }
                INFO(rows << " rows of " << row << (sparse ? ", by rows" : ""));
                CHECK(close(fast.param, slow.param));
                for (std::size_t k = 0; k < 4; ++k) CHECK(close(fast.slots[k], slow.slots[k]));
            }
}
inline constexpr auto average = reduction::mean;

}   // namespace reduced_rules
