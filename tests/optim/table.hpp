// SPDX-License-Identifier: MIT
// A variable [rows, row] with its slots and its optimizer, on plain arrays: what the rule tests step.
#pragma once

#include <xgrad/kernels/update_rows.hpp>
#include <xgrad/optim/rule.hpp>
#include <xgrad/sparse/check_indices.hpp>
#include <xgrad/sparse/coalesce.hpp>

#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

namespace xgrad_test {

template<class Rule, class T = double>
struct table {
    Rule rule;
    std::int64_t rows, row;
    std::vector<T> param;
    std::vector<std::vector<T>> slots{};
    double powers[2] = {0, 0};
    std::int64_t step = 0;

    table(Rule rule_, std::int64_t row_, std::vector<T> values)
        : rule(rule_), rows(static_cast<std::int64_t>(values.size()) / row_), row(row_), param(values) {
        for (int k = 0; k < xgrad::slot_count<Rule>; ++k) {
            slots.emplace_back(values.size(), static_cast<T>(xgrad::slot_init_of(rule, k)));
        }
        xgrad::init_powers_of(rule, powers);
    }
    table(Rule rule_, std::vector<T> values) : table(rule_, 1, values) {}

    void dense(std::vector<T> const& grad) {
        std::vector<T*> at = pointers();
        xgrad::kernels::update_dense<Rule>(scalars(), param.data(), grad.data(), at.data(), static_cast<std::int64_t>(param.size()));
        finish();
    }
    void dense(T grad) { dense(std::vector<T>(param.size(), grad)); }

    template<class Index = std::int32_t>
    void sparse(std::vector<Index> const& indices, std::vector<T> const& values) {
        namespace sp = xgrad::sparse;
        auto const n = static_cast<std::int64_t>(indices.size());
        sp::check_indices(indices.data(), n, rows, "table");
        struct alignas(64) line {
            unsigned char bytes[64];
        };
        std::vector<line> work(sp::group_bytes(n, rows) / 64), sort(sp::sort_bytes(n) / 64 + 1);
        auto const groups = sp::group_rows(indices.data(), n, rows, work.data());
        std::vector<T*> at = pointers();
        if constexpr (Rule::sparse == xgrad::sparse_semantics::exact) {
            auto const sorted = sp::sort_groups(groups, rows, sort.data());
            xgrad::kernels::update_all_rows<Rule>(
                scalars(), param.data(), at.data(), row, rows, groups, sorted.rows, sorted.which, {values.data(), row});
        } else {
            xgrad::kernels::update_rows<Rule>(scalars(), param.data(), at.data(), row, groups, {values.data(), row});
        }
        finish();
    }

private:
    auto scalars() const { return rule.template prepare<T>(step, powers); }
    void finish() {
        xgrad::advance_powers_of(rule, powers, step);
        ++step;
    }
    std::vector<T*> pointers() {
        std::vector<T*> at;
        for (auto& s : slots) { at.push_back(s.data()); }
        at.push_back(nullptr);
        return at;
    }
};

/// |a − b| ≤ tolerance · max(|b|, scale).
template<class T>
bool near(T a, double b, double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-6, double scale = 1e-300) {
    double const d = std::abs(static_cast<double>(a) - b);
    return d <= tolerance * std::fmax(std::abs(b), scale);
}

template<class T>
bool near(std::vector<T> const& a, std::vector<double> const& b, double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-6) {
    bool good = a.size() == b.size();
    for (std::size_t i = 0; good && i < a.size(); ++i) { good = near(a[i], b[i], tolerance); }
    return good;
}

}   // namespace xgrad_test
