// SPDX-License-Identifier: MIT
// Applies an update rule that needs values over rows, columns or the whole variable, or keeps one number for each of them.
#pragma once

#include <xgrad/core/math.hpp>
#include <xgrad/kernels/update_rows.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// The number of reductions of a rule per column.
template<class Rule>
inline constexpr int column_reductions = rule_reductions<Rule>.count_of(per::column);

// The rows that take part in an update, in the order in which they are summed: `count`, the row of the table, and the gradient of the n-th. What
// find() says of row n is handed to load(); rows are asked for in ascending order, from a cursor that begins at 0.

/// All rows of a whole gradient.
template<class T>
struct dense_rows {
    static constexpr bool scattered = false;
    T const* grad;
    std::int64_t row, count;
    XGRAD_INLINE std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_INLINE std::int64_t find(std::int64_t n, std::int64_t&) const { return n; }
    XGRAD_INLINE simd::batch<T> load(std::int64_t n, std::int64_t e) const { return simd::load(grad + n * row + e); }
    XGRAD_INLINE simd::batch<T> load_partial(std::int64_t n, std::int64_t e, std::size_t rest) const {
        return simd::load_partial(grad + n * row + e, rest);
    }
};
/// The rows that occur in a sparse gradient, in order of first occurrence.
template<class T, class Slices>
struct present_rows {
    static constexpr bool scattered = true;
    std::int32_t const* rows;
    std::int64_t count;
    Slices slices;
    XGRAD_INLINE std::int64_t table_row(std::int64_t n) const { return rows[n]; }
    XGRAD_INLINE std::int64_t find(std::int64_t n, std::int64_t&) const { return n; }
    XGRAD_INLINE simd::batch<T> load(std::int64_t n, std::int64_t e) const { return slices.load(n, e); }
    XGRAD_INLINE simd::batch<T> load_partial(std::int64_t n, std::int64_t e, std::size_t rest) const {
        return slices.load_partial(n, e, rest);
    }
};
/// All rows of a table; those that do not occur in the sparse gradient have a gradient of 0.
template<class T, class Slices>
struct table_rows {
    static constexpr bool scattered = false;
    std::int32_t const *sorted, *which;
    std::int64_t groups, count;
    Slices slices;
    XGRAD_INLINE std::int64_t table_row(std::int64_t n) const { return n; }
    XGRAD_INLINE std::int64_t find(std::int64_t n, std::int64_t& cursor) const {
        return cursor < groups && sorted[cursor] == n ? which[cursor++] : -1;
    }
    XGRAD_INLINE simd::batch<T> load(std::int64_t u, std::int64_t e) const { return u < 0 ? simd::batch<T>(T(0)) : slices.load(u, e); }
    XGRAD_INLINE simd::batch<T> load_partial(std::int64_t u, std::int64_t e, std::size_t rest) const {
        return u < 0 ? simd::batch<T>(T(0)) : slices.load_partial(u, e, rest);
    }
};

/// All of it is inlined, so that no store of a T can change what is read here.
template<class Rule, class T, class M, class Rows>
class reduced_update {
    using V = simd::batch<T>;
    using slots = slot_pointers<Rule, T>;
    static constexpr auto declared = rule_reductions<Rule>;
    static constexpr std::size_t terms = static_cast<std::size_t>(declared.count), buffers = terms == 0 ? 1 : terms;
    static constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>), half = static_cast<std::int64_t>(simd::width<double>);
    static constexpr std::size_t parts = simd::width<T> / simd::width<double>;
    using all = std::make_index_sequence<terms>;
    static constexpr bool reduces(per scope) { return declared.count_of(scope) > 0; }
    static constexpr bool keeps(per scope) { return rule_slots<Rule>.count_of(scope) > 0; }
    static constexpr int column_of(std::size_t k) {   // among the reductions per column
        int n = 0;
        for (std::size_t i = 0; i < k; ++i) n += declared[i].scope == per::column;
        return n;
    }

    rule_scalars<Rule, T> const s;
    M* const param;
    slots const at;
    std::int64_t const row;
    Rows const rows;
    double* const columns;   // of each reduction per column `row` values

    /// Sums in progress: of each term in lanes, so that a batch is added to a batch.
    struct sums {
        simd::batch<double> lane[buffers][parts];
        XGRAD_INLINE sums() {
            for (auto& term : lane)
                for (auto& l : term) l = simd::batch<double>(0.0);
        }
        XGRAD_INLINE double of(std::size_t k) const {
            auto total = lane[k][0];
            for (std::size_t p = 1; p < parts; ++p) total += lane[k][p];
            return simd::sum(total);
        }
    };
    // Elements e .. e + n − 1 of a row give x to reduction K.
    template<std::size_t K, std::size_t... P>
    XGRAD_INLINE void add_parts(
        std::index_sequence<P...>, V x, sums& total, [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::int64_t n) const {
        if constexpr (declared[K].scope != per::column) {
            ((total.lane[K][P] += simd::doubles<P>(x)), ...);
        } else {
            double* const to = columns + column_of(K) * row + e;
            (add_columns(to + P * half, simd::doubles<P>(x), n - static_cast<std::int64_t>(P) * half), ...);
        }
    }
    XGRAD_INLINE static void add_columns(double* to, simd::batch<double> x, std::int64_t n) {
        if (n >= half) {
            simd::store(to, simd::load(to) + x);
        } else if (n > 0) {
            auto const rest = static_cast<std::size_t>(n);
            simd::store_partial(to, simd::load_partial(to, rest) + x, rest);
        }
    }
    template<bool Row, std::size_t K>
    XGRAD_INLINE void add_one(V x, sums& total, std::int64_t e, std::int64_t n) const {
        if constexpr ((declared[K].scope == per::row) == Row) add_parts<K>(std::make_index_sequence<parts>{}, x, total, e, n);
    }
    template<bool Row, std::size_t... K>
    XGRAD_INLINE void add(std::index_sequence<K...>, V const* term, sums& total, std::int64_t e, std::int64_t n) const {
        (add_one<Row, K>(term[K], total, e, n), ...);
    }
    // What row r gives to the reductions per row (Row), or to the others; u: of its gradient.
    template<bool Row>
    XGRAD_INLINE void reduce_row(std::int64_t r, std::int64_t u, sums& total) const {
        std::int64_t const base = r * row;
        V slot[slots::buffers], term[buffers];
        std::int64_t e = 0;
        for (; e + width <= row; e += width) {
            at.load(slot, {base + e, r, e});
            at.keep_elements(slot);
            Rule::terms(s, simd::load_as<T>(param + base + e), rows.load(u, e), slot, term);
            add<Row>(all{}, term, total, e, width);
        }
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            at.load_partial(slot, {base + e, r, e}, rest);
            at.keep_elements(slot);
            Rule::terms(s, simd::load_partial_as<T>(param + base + e, rest), rows.load_partial(u, e, rest), slot, term);
            auto const there = simd::iota<V>() < V(static_cast<T>(rest));
            for (auto& x : term) x = math::select(there, x, V(T(0)));
            add<Row>(all{}, term, total, e, row - e);
        }
    }

    static double scaled(std::size_t k, double sum, std::int64_t elements) {
        return declared[k].kind == reduction::mean ? sum / static_cast<double>(elements) : sum;
    }
    /// The values of the scope, beside those of the variable; the others are 0.
    XGRAD_INLINE void take(per scope, sums const& total, std::int64_t elements, T* reduced) const {
        for (std::size_t k = 0; k < terms; ++k)
            if (declared[k].scope == scope) reduced[k] = static_cast<T>(scaled(k, total.of(k), elements));
    }
    XGRAD_INLINE void advance_columns(T const* of_variable) const {
        for (std::size_t k = 0; k < terms; ++k) {
            double* const values = columns + column_of(k) * row;
            for (std::int64_t j = 0; declared[k].scope == per::column && j < row; ++j) values[j] = scaled(k, values[j], rows.count);
        }
        if constexpr (keeps(per::column)) {
            for (std::int64_t j = 0; j < row; ++j) {
                T reduced[buffers], slot[slots::buffers];
                for (std::size_t k = 0; k < terms; ++k)
                    reduced[k] = declared[k].scope == per::column ? static_cast<T>(columns[column_of(k) * row + j]) : of_variable[k];
                at.template load_numbers<per::column>(slot, {0, 0, j});
                Rule::advance_column(s, slot, reduced);
                at.template store_numbers<per::column>(slot, {0, 0, j});
            }
        }
    }

    template<std::size_t... K>
    XGRAD_INLINE void spread(std::index_sequence<K...>, [[maybe_unused]] T const* values, [[maybe_unused]] V* reduced,
        [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::size_t n) const {
        ((reduced[K] = declared[K].scope != per::column ? V(values[K])
                       : n == simd::width<T>            ? simd::load_as<T>(columns + column_of(K) * row + e)
                                                        : simd::load_partial_as<T>(columns + column_of(K) * row + e, n, T(1))),
            ...);
    }
    XGRAD_INLINE void apply(V& p, V grad, V* slot, T const* values, std::int64_t e, std::size_t n) const {
        if constexpr (terms == 0) {
            Rule::update(s, p, grad, slot);
        } else {
            V reduced[buffers];
            spread(all{}, values, reduced, e, n);
            Rule::update(s, p, grad, slot, static_cast<V const*>(reduced));
        }
    }
    XGRAD_INLINE void update_row(std::int64_t r, std::int64_t u, T const* values) const {
        std::int64_t const base = r * row;
        V slot[slots::buffers];
        std::int64_t e = 0;
        for (; e + width <= row; e += width) {
            at.load(slot, {base + e, r, e});
            V p = simd::load_as<T>(param + base + e);
            apply(p, rows.load(u, e), slot, values, e, simd::width<T>);
            simd::store_as(param + base + e, p);
            at.store(slot, {base + e});
        }
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            at.load_partial(slot, {base + e, r, e}, rest);
            V p = simd::load_partial_as<T>(param + base + e, rest);
            apply(p, rows.load_partial(u, e, rest), slot, values, e, rest);
            simd::store_partial_as(param + base + e, p, rest);
            at.store_partial(slot, {base + e}, rest);
        }
    }

public:
    reduced_update(rule_scalars<Rule, T> const& scalars, M* first, slots const& slot, std::int64_t length, Rows const& which, void* scratch)
        : s(scalars), param(first), at(slot), row(length), rows(which), columns(static_cast<double*>(scratch)) {}

    XGRAD_INLINE void run() const {
        if (rows.count == 0 || row == 0) return;
        T values[buffers] = {};
        if constexpr (reduces(per::variable) || reduces(per::column)) {
            std::fill(columns, columns + column_reductions<Rule> * row, 0.0);
            sums total;
            for (std::int64_t n = 0, cursor = 0; n < rows.count; ++n) {
                std::int64_t const u = rows.find(n, cursor);
                reduce_row<false>(rows.table_row(n), u, total);
            }
            take(per::variable, total, rows.count * row, values);
        }
        if constexpr (keeps(per::variable)) {
            T slot[slots::buffers];
            at.template load_numbers<per::variable>(slot, {0});
            Rule::advance_variable(s, slot, static_cast<T const*>(values));
            at.template store_numbers<per::variable>(slot, {0});
        }
        if constexpr (reduces(per::column) || keeps(per::column)) advance_columns(values);
        for (std::int64_t n = 0, cursor = 0; n < rows.count; ++n) {
            if constexpr (Rows::scattered) {
                if (n + prefetch_rows < rows.count) {
                    std::int64_t const ahead = rows.table_row(n + prefetch_rows);
                    prefetch_row(param + ahead * row, row);
                    at.prefetch(ahead, row);
                }
            }
            std::int64_t const u = rows.find(n, cursor), r = rows.table_row(n);
            if constexpr (reduces(per::row)) {
                sums total;
                reduce_row<true>(r, u, total);
                take(per::row, total, row, values);
            }
            if constexpr (keeps(per::row)) {
                T slot[slots::buffers];
                at.template load_numbers<per::row>(slot, {0, r});
                Rule::advance_row(s, slot, static_cast<T const*>(values));
                at.template store_numbers<per::row>(slot, {0, r});
            }
            update_row(r, u, values);
        }
    }
};
template<class Rule, class T, class M, class Rows>
void run_reduced(rule_scalars<Rule, T> const& scalars, M* param, slot_pointers<Rule, T> const& slots, std::int64_t row, Rows const& rows,
    void* scratch) {
    reduced_update<Rule, T, M, Rows>(scalars, param, slots, row, rows, scratch).run();
}
}   // namespace detail

/// Bytes of scratch memory of an update of a rule with reductions, for rows of `row` elements.
template<class Rule>
constexpr std::size_t reduction_bytes(std::int64_t row) {
    return static_cast<std::size_t>(detail::column_reductions<Rule> * row) * sizeof(double);
}

// The passes of an update: what is reduced per variable and per column is summed over all rows; slots per variable and per column are advanced; then
// row by row: what is reduced per row, the slots per row, the elements. Terms are formed in T and added in double, in the order of rows (of those that
// occur: of first occurrence), of a row lane by lane, the lanes at its end (of the variable, after all rows); so a sum depends on shape, indices and
// the width of a batch alone. Without any row or any element nothing is changed. Slots are as for update_dense, `scratch` has
// reduction_bytes<Rule>(row).

/// Any rule, on a whole variable [rows, row].
template<class Rule, class T, class M, class Slot>
void update_reduced(rule_scalars<Rule, T> const& scalars, M* param, T const* grad, Slot* const* slots, std::int64_t row, std::int64_t rows,
    void* scratch) noexcept {
    constexpr auto by_rows = [](auto const& list) { return list.count_of(per::row) + list.count_of(per::column) > 0; };
    slot_pointers<Rule, T> const at(slots);
    if constexpr (by_rows(rule_slots<Rule>) || by_rows(rule_reductions<Rule>))
        detail::run_reduced<Rule, T>(scalars, param, at, row, detail::dense_rows<T>{grad, row, rows}, scratch);
    else   // as one long row
        detail::run_reduced<Rule, T>(scalars, param, at, row * rows, detail::dense_rows<T>{grad, row * rows, 1}, scratch);
}
/// On the rows that occur in a sparse gradient, which are the variable then; the others are not touched.
template<class Rule, class T, class M, class Slot>
void update_reduced_rows(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, row_groups const& groups,
    slice_values<T> const& values, void* scratch) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if (groups.order == nullptr) {
        using slices = detail::single_slices<T>;
        detail::run_reduced<Rule, T>(
            scalars, param, at, row, detail::present_rows<T, slices>{groups.rows, groups.count, slices{values}}, scratch);
    } else {
        using slices = detail::grouped_slices<T>;
        detail::run_reduced<Rule, T>(scalars, param, at, row,
            detail::present_rows<T, slices>{groups.rows, groups.count, slices{values, groups.offsets, groups.order}}, scratch);
    }
}
/// On every row of a table [table_rows, row], as if the sparse gradient were dense; `sorted` and `which` are as for update_all_rows.
template<class Rule, class T, class M, class Slot>
void update_reduced_table(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t row, std::int64_t table_rows,
    row_groups const& groups, std::int32_t const* sorted, std::int32_t const* which, slice_values<T> const& values,
    void* scratch) noexcept {
    slot_pointers<Rule, T> const at(slots);
    if (groups.order == nullptr) {
        using slices = detail::single_slices<T>;
        detail::run_reduced<Rule, T>(
            scalars, param, at, row, detail::table_rows<T, slices>{sorted, which, groups.count, table_rows, slices{values}}, scratch);
    } else {
        using slices = detail::grouped_slices<T>;
        detail::run_reduced<Rule, T>(scalars, param, at, row,
            detail::table_rows<T, slices>{sorted, which, groups.count, table_rows, slices{values, groups.offsets, groups.order}}, scratch);
    }
}

}   // namespace kernels
XGRAD_NAMESPACE_END
