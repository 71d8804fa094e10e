// SPDX-License-Identifier: MIT
// A variable [rows, row] with its slots and its optimizer, on plain arrays: what the rule tests step.
#pragma once

#include <xgrad/kernels/updates/update_reduced.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/sparse/check_indices.hpp>
#include <xgrad/sparse/coalesce.hpp>

#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

namespace xgrad_test {

template<class Rule>
constexpr bool keeps_doubles() {
    bool any = false;
    for (xgrad::slot_info const& s : xgrad::rule_slots<Rule>)
        any = any || (s.type == xgrad::dtype::float64 && s.scope != xgrad::per::optimizer);
    return any;
}
/// Holds the values of all slots: double where one is.
template<class Rule, class T>
using slot_number = std::conditional_t<keeps_doubles<Rule>(), double, T>;

template<class Rule, class T = double, class Stored = T>   // Stored: the variable in memory
struct table {
    Rule rule;
    std::int64_t rows, row;
    std::vector<Stored> param;
    std::vector<std::vector<slot_number<Rule, T>>> slots{};   // their values, whatever they are in memory
    double powers[xgrad::power_count<Rule> + 1] = {};
    std::int64_t step = 0;

    table(Rule rule_, std::int64_t row_, std::vector<Stored> values)
        : rule(rule_), rows(static_cast<std::int64_t>(values.size()) / row_), row(row_), param(values) {
        for (int k = 0; k < xgrad::slot_count<Rule>; ++k)
            slots.emplace_back(numbers(info(k).scope), static_cast<slot_number<Rule, T>>(xgrad::slot_init_of(rule, k)));
        xgrad::init_powers_of(rule, powers);
    }
    table(Rule rule_, std::vector<Stored> values) : table(rule_, 1, values) {}

    void dense(std::vector<T> const& grad) {
        memory at(*this);
        if constexpr (xgrad::moves_elements<Rule>)
            xgrad::kernels::update_dense<Rule>(scalars(), param.data(), grad.data(), at.first, static_cast<std::int64_t>(param.size()));
        else if constexpr (xgrad::moves_matrices<Rule>) {
            std::vector<double> work(xgrad::kernels::matrix_scratch<Rule, T>(rows, row).all / sizeof(double) + 1, NAN);
            xgrad::kernels::update_matrix<Rule>(scalars(), param.data(), grad.data(), at.first, rows, row, work.data());
        } else xgrad::kernels::update_reduced<Rule>(scalars(), param.data(), grad.data(), at.first, row, rows, sums().data());
        finish(at);
    }
    void dense(T grad) { dense(std::vector<T>(param.size(), grad)); }

    /// Row: the length of a row where the kernel is to know it.
    template<class Index = std::int32_t, int Row = -1>
    void sparse(std::vector<Index> const& indices, std::vector<T> const& values) {
        namespace sp = xgrad::sparse;
        auto const n = static_cast<std::int64_t>(indices.size());
        sp::check_indices(indices.data(), n, rows, "table");
        struct alignas(64) line {
            unsigned char bytes[64];
        };
        std::vector<line> work(sp::group_bytes(n, rows) / 64), sort(sp::sort_bytes(n) / 64 + 1);
        auto const groups = sp::group_rows(indices.data(), n, rows, work.data());
        memory at(*this);
        if constexpr (Rule::sparse == xgrad::sparse_semantics::exact) {
            auto const sorted = sp::sort_groups(groups, rows, sort.data());
            if constexpr (xgrad::moves_elements<Rule>) {
                xgrad::kernels::update_all_rows<Rule>(
                    scalars(), param.data(), at.first, row, rows, groups, sorted.rows, sorted.which, {values.data(), row});
            } else {
                xgrad::kernels::update_reduced_table<Rule, Row>(
                    scalars(), param.data(), at.first, row, rows, groups, sorted.rows, sorted.which, {values.data(), row}, sums().data());
            }
        } else if constexpr (xgrad::moves_elements<Rule>) {
            xgrad::kernels::update_rows<Rule>(scalars(), param.data(), at.first, row, groups, {values.data(), row});
        } else {
            xgrad::kernels::update_reduced_rows<Rule, Row>(
                scalars(), param.data(), at.first, row, groups, {values.data(), row}, sums().data());
        }
        finish(at);
    }

private:
    auto scalars() const { return rule.template prepare<T>(step, powers); }
    std::vector<double> sums() const { return std::vector<double>(xgrad::kernels::reduction_bytes<Rule>(row) / sizeof(double) + 1); }
    static xgrad::slot_info const& info(int k) { return xgrad::rule_slots<Rule>[static_cast<std::size_t>(k)]; }
    std::size_t numbers(xgrad::per scope) const {
        auto const all = static_cast<std::size_t>(rows), columns = static_cast<std::size_t>(row);
        return scope == xgrad::per::element       ? all * columns
               : scope == xgrad::per::row         ? all
               : scope == xgrad::per::column      ? columns
               : scope == xgrad::per::row_pair    ? all * all
               : scope == xgrad::per::column_pair ? columns * columns
                                                  : 1;
    }
    /// The slots in their own types.
    struct memory {
        std::vector<std::vector<double>> bytes;   // aligned for all types
        void* first[xgrad::max_rule_slots] = {};

        explicit memory(table const& t) {
            for (int k = 0; k < xgrad::slot_count<Rule>; ++k) {
                auto const& values = t.slots[static_cast<std::size_t>(k)];
                first[k] = bytes.emplace_back(values.size() + 1).data();
                xgrad::visit(info(k).type_for(xgrad::dtype_of<T>), [&]<class M>(std::type_identity<M>) {
                    for (std::size_t i = 0; i < values.size(); ++i) static_cast<M*>(first[k])[i] = xgrad::narrow_to<M>(values[i]);
                });
            }
        }
        void take_back(table& t) const {
            for (int k = 0; k < xgrad::slot_count<Rule>; ++k) {
                auto& values = t.slots[static_cast<std::size_t>(k)];
                xgrad::visit(info(k).type_for(xgrad::dtype_of<T>), [&]<class M>(std::type_identity<M>) {
                    for (std::size_t i = 0; i < values.size(); ++i)
                        values[i] = static_cast<slot_number<Rule, T>>(static_cast<M const*>(first[k])[i]);
                });
            }
        }
    };
    void finish(memory const& at) {
        at.take_back(*this);
        xgrad::advance_powers_of(rule, powers, step);
        ++step;
    }
};

/// The body of the rule as a plain loop. The rule's sparse semantics say how elements without a gradient move.
template<class Rule, class T>
void scalar_step(table<Rule, T>& v, std::vector<T> const& grad, std::vector<char> const& touched) {
    auto const present = v.rule.template prepare<T>(v.step, v.powers);
    auto absent = present;
    if constexpr (requires { Rule::absent_row(present); }) absent = Rule::absent_row(present);
    for (std::size_t i = 0; i < grad.size(); ++i) {
        if (touched[i] == 0 && Rule::sparse == xgrad::sparse_semantics::lazy) continue;
        T slot[xgrad::slot_count<Rule> + 1] = {};
        for (std::size_t k = 0; k < v.slots.size(); ++k) slot[k] = v.slots[k][i];
        Rule::update(touched[i] != 0 ? present : absent, v.param[i], grad[i], slot);
        for (std::size_t k = 0; k < v.slots.size(); ++k) v.slots[k][i] = slot[k];
    }
    xgrad::advance_powers_of(v.rule, v.powers, v.step);
    ++v.step;
}

/// |a − b| ≤ tolerance · max(|b|, scale).
template<class T>
bool near(T a, double b, double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-6, double scale = 1e-300) {
    double const d = std::abs(static_cast<double>(a) - b);
    return d <= tolerance * std::fmax(std::abs(b), scale);
}

template<class T>
bool near(std::vector<T> const& a, std::vector<double> const& b, double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-6) {
    bool good = a.size() == b.size();
    for (std::size_t i = 0; good && i < a.size(); ++i) good = near(a[i], b[i], tolerance);
    return good;
}

}   // namespace xgrad_test
