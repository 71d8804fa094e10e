// SPDX-License-Identifier: MIT
// The passes of an update for a rule with reductions over rows, columns or the whole variable, or with slots for each of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/kernels/rows/reduced_rows.hpp>
#include <xgrad/kernels/updates/reduced_sums.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// OfAll: the reductions over all variables, not over one. Everything is inlined: no store of a T can change the values that are read.
template<class Rule, class T, class M, class Rows, bool OfAll>
class reduced_update {
    using V = simd::batch<T>;
    using slots = slot_pointers<Rule, T>;
    using plan = reduction_plan<Rule, OfAll>;
    static constexpr auto const& declared = plan::declared;
    static constexpr std::size_t terms = plan::terms, buffers = plan::buffers;
    static constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    // Batches of a row or a column that are added in T, then in double: three roundings, and a fourth for the conversions.
    static constexpr int batches_at_once = 4;
    using all = std::make_index_sequence<terms>;
    using sums = reduced_sums<declared, T>;
    using lanes = term_lanes<plan, V>;
    static constexpr bool moves_after = plan::moves_after;
    static constexpr int stages = plan::stages;
    static constexpr bool reduces(per scope, int stage) { return plan::reduces(scope, stage); }
    static constexpr bool keeps(per scope) { return rule_slots<Rule>.count_of(scope) > 0; }

    rule_scalars<Rule, T> const s, absent;   // absent: for rows that do not occur
    M* const param;
    slots const at;
    std::int64_t const row;
    Rows const rows;
    reduced_columns<plan, T> const columns;

    static rule_scalars<Rule, T> absent_of(rule_scalars<Rule, T> const& scalars) {
        if constexpr (moves_absent_rows<Rule>) return Rule::absent_row(scalars);
        else return scalars;
    }
    // The scalars for a row with gradient u.
    XGRAD_KERNEL rule_scalars<Rule, T> const& scalars_of([[maybe_unused]] found_row<T> u) const {
        if constexpr (moves_absent_rows<Rule>)
            if (u.u < 0) return absent;
        return s;
    }

    // Adds x, the terms of elements e .. e + n - 1 of a row, to reduction K.
    template<int Stage, gives What, std::size_t K>
    XGRAD_KERNEL void add_one(V x, sums& total, [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::int64_t n) const {
        if constexpr (declared[K].stage == Stage && plan::gets(K, What, Rows::whole)) {
            if constexpr (declared[K].scope == per::column) columns.template add<K>(x, e, n);
            else total.template add<K>(x);
        }
    }
    template<int Stage, gives What, std::size_t... K>
    XGRAD_KERNEL void add(std::index_sequence<K...>, V const* term, sums& total, std::int64_t e, std::int64_t n) const {
        (add_one<Stage, What, K>(term[K], total, e, n), ...);
    }
    // The values of reduction K for the elements from e on, if its stage is before this one; otherwise 0.
    template<int Stage, std::size_t K>
    XGRAD_KERNEL V value(T const* values, [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::size_t n) const {
        if constexpr (declared[K].stage >= Stage) return V(T(0));
        else if constexpr (declared[K].scope != per::column) return V(values[K]);
        else {
            T const* const from = columns.values(K) + e;
            return n == simd::width<T> ? simd::load(from) : simd::load_partial(from, n, T(1));
        }
    }
    template<int Stage, std::size_t... K>
    XGRAD_KERNEL void spread(std::index_sequence<K...>, [[maybe_unused]] T const* values, [[maybe_unused]] V* reduced,
        [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::size_t n) const {
        ((reduced[K] = value<Stage, K>(values, e, n)), ...);
    }
    template<int Stage>
    XGRAD_KERNEL void terms_of(found_row<T> u, V p, V grad, V* slot, V* term, [[maybe_unused]] T const* values,
        [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::size_t n) const {
        if constexpr (Stage == 0 && !moves_after) at.keep_elements(slot);
        if constexpr (OfAll) Rule::optimizer_terms(scalars_of(u), p, grad, static_cast<V const*>(slot), term);
        else if constexpr (stages == 1) Rule::terms(scalars_of(u), p, grad, static_cast<V const*>(slot), term);
        else {
            V reduced[buffers];
            spread<Stage>(all{}, values, reduced, e, n);
            Rule::terms(scalars_of(u), p, grad, static_cast<V const*>(slot), static_cast<V const*>(reduced), term);
        }
    }
    // The terms of a full batch, from element e of row r on.
    template<int Stage>
    XGRAD_KERNEL void batch_terms(std::int64_t r, found_row<T> u, std::int64_t e, V* slot, V* term, T const* values) const {
        std::int64_t const i = r * rows.step() + e;
        at.load_along(slot, {i, r, e});
        terms_of<Stage>(u, simd::load_as<T>(param + i), rows.load(u, e), slot, term, values, e, simd::width<T>);
    }
    // The terms of the elements after the last full batch. Lanes after the end of the row contribute nothing.
    template<int Stage>
    XGRAD_KERNEL void last_terms(std::int64_t r, found_row<T> u, std::int64_t e, V* slot, V* term, T const* values) const {
        auto const rest = static_cast<std::size_t>(row - e);
        std::int64_t const i = r * rows.step() + e;
        at.load_along_partial(slot, {i, r, e}, rest);
        terms_of<Stage>(u, simd::load_partial_as<T>(param + i, rest), rows.load_partial(u, e, rest), slot, term, values, e, rest);
        lanes::omit_from(rest, term);
    }
    // Adds the terms of row r to the reductions of a stage. u: its gradient; values: reductions of earlier stages.
    template<int Stage, gives What>
    XGRAD_KERNEL void reduce_row(std::int64_t r, found_row<T> u, T const* values, sums& total) const {
        V slot[slots::buffers], term[buffers];
        at.load_fixed(slot, {r * rows.step(), r});
        std::int64_t e = 0;
        if constexpr (What == gives::to_row || !reduces(per::column, Stage))
            for (; e + batches_at_once * width <= row; e += batches_at_once * width) {
                batch_terms<Stage>(r, u, e, slot, term, values);
                for (int b = 1; b < batches_at_once; ++b) {
                    V next[buffers];
                    batch_terms<Stage>(r, u, e + b * width, slot, next, values);
                    lanes::gather(term, next);
                }
                add<Stage, What>(all{}, term, total, e, width);
            }
        for (; e + width <= row; e += width) {
            batch_terms<Stage>(r, u, e, slot, term, values);
            add<Stage, What>(all{}, term, total, e, width);
        }
        if (e < row) {
            last_terms<Stage>(r, u, e, slot, term, values);
            add<Stage, What>(all{}, term, total, e, row - e);
        }
    }
    // Adds the terms of several rows from `first` on to all reductions of a stage, except those per row. u: their gradients.
    template<int Stage>
    XGRAD_KERNEL void reduce_rows(std::int64_t first, found_row<T> const* u, T const (*values)[buffers], sums& total) const {
        V slot[batches_at_once][slots::buffers], term[buffers], next[buffers];
        for (int b = 0; b < batches_at_once; ++b) at.load_fixed(slot[b], {(first + b) * rows.step(), first + b});
        std::int64_t e = 0;
        for (; e + width <= row; e += width) {
            batch_terms<Stage>(first, u[0], e, slot[0], term, values[0]);
            for (int b = 1; b < batches_at_once; ++b) {
                batch_terms<Stage>(first + b, u[b], e, slot[b], next, values[b]);
                lanes::gather(term, next);
            }
            add<Stage, gives::to_others>(all{}, term, total, e, width);
        }
        if (e < row) {
            last_terms<Stage>(first, u[0], e, slot[0], term, values[0]);
            for (int b = 1; b < batches_at_once; ++b) {
                last_terms<Stage>(first + b, u[b], e, slot[b], next, values[b]);
                lanes::gather(term, next);
            }
            add<Stage, gives::to_others>(all{}, term, total, e, row - e);
        }
    }
    // Whether a stage processes several rows together: columns get one number for all of them. Only dense gradients can do that.
    static constexpr bool several_rows(int stage) { return Rows::whole && reduces(per::column, stage); }

    /// Stores the values of a stage and scope in `reduced`. The other values are not changed.
    XGRAD_KERNEL void take(per scope, int stage, sums const& total, std::int64_t elements, T* reduced) const {
        for (std::size_t k = 0; k < terms; ++k)
            if (declared[k].scope == scope && declared[k].stage == stage)
                reduced[k] = static_cast<T>(plan::scaled(k, total.of(k), elements));
    }
    XGRAD_KERNEL void advance_columns(T const* of_variable) const {
        for (std::int64_t j = 0; j < row; ++j) {
            T reduced[buffers], slot[slots::buffers];
            auto const there = [](std::size_t k) { return declared[k].scope == per::column && declared[k].stage == 0; };
            for (std::size_t k = 0; k < terms; ++k) reduced[k] = there(k) ? columns.values(k)[j] : of_variable[k];
            at.template load_numbers<per::column>(slot, {0, 0, j});
            Rule::advance_column(s, slot, reduced);
            at.template store_numbers<per::column>(slot, {0, 0, j});
            for (std::size_t k = 0; k < terms; ++k)
                if (there(k)) columns.values(k)[j] = reduced[k];
        }
    }
    XGRAD_KERNEL void advance_row(std::int64_t r, found_row<T> u, T const* values) const {
        T slot[slots::buffers];
        at.template load_numbers<per::row>(slot, {0, r});
        Rule::advance_row(scalars_of(u), slot, values);
        at.template store_numbers<per::row>(slot, {0, r});
    }
    // Updates the slots per variable and per column.
    XGRAD_KERNEL void advance_rest([[maybe_unused]] T const* values) const {
        if constexpr (keeps(per::variable)) {
            T slot[slots::buffers];
            at.template load_numbers<per::variable>(slot, {0});
            Rule::advance_variable(s, slot, values);
            at.template store_numbers<per::variable>(slot, {0});
        }
        if constexpr (keeps(per::column)) advance_columns(values);
    }
    // Computes the reductions of row r for the stages before this one. After the first stage it updates the slots of the row, if this is
    // the pass for it. They are computed again in each pass: the row is in the cache, and with -O3 the compiler removes what no body reads.
    template<int Stage, bool Moves>
    XGRAD_KERNEL void take_row([[maybe_unused]] std::int64_t r, found_row<T> u, [[maybe_unused]] T* values) const {
        if constexpr (Stage > 0) {
            take_row<Stage - 1, Moves>(r, u, values);
            if constexpr (reduces(per::row, Stage - 1)) {
                sums total;
                reduce_row<Stage - 1, gives::to_row>(r, u, values, total);
                take(per::row, Stage - 1, total, row, values);
            }
            if constexpr (Stage == 1 && Moves && keeps(per::row)) advance_row(r, u, values);
        }
    }
    // Adds the terms of single slices in a stage.
    template<int Stage>
    XGRAD_KERNEL void reduce_slices(T const* values, sums& total) const {
        std::int64_t next = 0;
        for (std::int64_t n = 0; n < rows.count; ++n)
            rows.each_slice(
                n, next, [&](found_row<T> slice) { reduce_row<Stage, gives::to_slices>(rows.table_row(n), slice, values, total); });
    }
    template<int Stage>
    XGRAD_KERNEL void reduce_stage(T* values) const {
        if constexpr (plan::goes_over_rows(Stage)) {
            constexpr bool moves = keeps(per::row) && plan::moving_pass() == Stage;
            sums total;
            typename Rows::cursor cursor;
            std::int64_t n = 0;
            constexpr int before = moves && Stage == 0 ? 1 : Stage;
            if constexpr (several_rows(Stage))
                for (; n + batches_at_once <= rows.count; n += batches_at_once) {
                    found_row<T> u[batches_at_once];
                    T of_row[batches_at_once][buffers];
                    for (int b = 0; b < batches_at_once; ++b) {
                        u[b] = rows.find(n + b, cursor);
                        std::copy(values, values + buffers, of_row[b]);
                        take_row<before, moves>(n + b, u[b], of_row[b]);
                    }
                    reduce_rows<Stage>(n, u, of_row, total);
                }
            for (; n < rows.count; ++n) {
                std::int64_t const r = rows.table_row(n);
                found_row<T> const u = rows.find(n, cursor);
                T of_row[buffers];
                std::copy(values, values + buffers, of_row);
                take_row<before, moves>(r, u, of_row);
                reduce_row<Stage, gives::to_others>(r, u, of_row, total);
            }
            if constexpr (plan::takes(true, Stage, Rows::whole)) reduce_slices<Stage>(values, total);
            take(per::variable, Stage, total, rows.count * row, values);
            columns.finish(Stage, rows.count);
        }
        if constexpr (Stage == 0) advance_rest(values);
    }
    template<int... Stage>
    XGRAD_KERNEL void reduce(std::integer_sequence<int, Stage...>, T* values) const {
        (reduce_stage<Stage>(values), ...);
    }
    XGRAD_KERNEL void apply(found_row<T> u, V& p, V grad, V* slot, T const* values, std::int64_t e, std::size_t n) const {
        if constexpr (terms == 0) Rule::update(scalars_of(u), p, grad, slot);
        else {
            V reduced[buffers];
            spread<moves_after ? 0 : stages>(all{}, values, reduced, e, n);
            Rule::update(scalars_of(u), p, grad, slot, static_cast<V const*>(reduced));
        }
    }
    // Updates a batch from element e of row r on. With Terms, its terms are computed first. fixed: slots that are equal along the row.
    template<bool Terms>
    XGRAD_KERNEL void move(
        std::int64_t r, found_row<T> u, std::int64_t e, V const* fixed, T const* values, [[maybe_unused]] V* term) const {
        std::int64_t const i = r * rows.step() + e;
        V slot[slots::buffers], p = simd::load_as<T>(param + i);
        V const g = rows.load(u, e);
        std::copy(fixed, fixed + slots::buffers, slot);
        at.load_along(slot, {i, r, e});
        if constexpr (Terms) terms_of<0>(u, p, g, slot, term, values, e, simd::width<T>);
        apply(u, p, g, slot, values, e, simd::width<T>);
        simd::store_as(param + i, p);
        at.store(slot, {i});
    }
    template<bool Terms>
    XGRAD_KERNEL void move_last(
        std::int64_t r, found_row<T> u, std::int64_t e, V const* fixed, T const* values, [[maybe_unused]] V* term) const {
        auto const rest = static_cast<std::size_t>(row - e);
        std::int64_t const i = r * rows.step() + e;
        V slot[slots::buffers], p = simd::load_partial_as<T>(param + i, rest);
        V const g = rows.load_partial(u, e, rest);
        std::copy(fixed, fixed + slots::buffers, slot);
        at.load_along_partial(slot, {i, r, e}, rest);
        if constexpr (Terms) {
            terms_of<0>(u, p, g, slot, term, values, e, rest);
            lanes::omit_from(rest, term);
        }
        apply(u, p, g, slot, values, e, rest);
        simd::store_partial_as(param + i, p, rest);
        at.store_partial(slot, {i}, rest);
    }
    XGRAD_KERNEL void update_row(std::int64_t r, found_row<T> u, T const* values) const {
        V fixed[slots::buffers];
        at.load_fixed(fixed, {r * rows.step(), r});
        std::int64_t e = 0;
        for (; e + width <= row; e += width) move<false>(r, u, e, fixed, values, nullptr);
        if (e < row) move_last<false>(r, u, e, fixed, values, nullptr);
    }
    // For rules whose slots are updated after the elements: the reductions use the slots from before the step and then update them.
    XGRAD_KERNEL void update_then_move(std::int64_t r, found_row<T> u, sums& total) const {
        T of_row[buffers] = {};
        total.restart(per::row);
        reduce_row<0, gives::to_all>(r, u, of_row, total);
        update_row(r, u, of_row);
        take(per::row, 0, total, row, of_row);
        if constexpr (keeps(per::row)) advance_row(r, u, of_row);
    }
    // The same for several rows in one loop. Only if all reductions per row are maxima, which do not need doubles.
    static constexpr bool several_then_move() {
        bool greatest = moves_after && several_rows(0);
        for (reduction_info const& r : declared) greatest = greatest && (r.scope != per::row || r.kind == reduction::max);
        return greatest;
    }
    XGRAD_KERNEL void update_rows_then_move(std::int64_t first, sums& total) const {
        typename Rows::cursor cursor;
        found_row<T> u[batches_at_once];
        V fixed[batches_at_once][slots::buffers], of[batches_at_once][buffers], term[buffers], next[buffers];
        T of_row[buffers] = {};
        for (int b = 0; b < batches_at_once; ++b) {
            u[b] = rows.find(first + b, cursor);
            at.load_fixed(fixed[b], {(first + b) * rows.step(), first + b});
            lanes::begin(of[b]);
        }
        std::int64_t e = 0;
        for (; e + width <= row; e += width) {
            lanes::begin(term);
            for (int b = 0; b < batches_at_once; ++b) {
                move<true>(first + b, u[b], e, fixed[b], of_row, next);
                lanes::gather(of[b], next);
                lanes::gather(term, next);
            }
            add<0, gives::to_others>(all{}, term, total, e, width);
        }
        if (e < row) {
            lanes::begin(term);
            for (int b = 0; b < batches_at_once; ++b) {
                move_last<true>(first + b, u[b], e, fixed[b], of_row, next);
                lanes::gather(of[b], next);
                lanes::gather(term, next);
            }
            add<0, gives::to_others>(all{}, term, total, e, row - e);
        }
        for (int b = 0; b < batches_at_once; ++b) {
            total.restart(per::row);
            add<0, gives::to_row>(all{}, of[b], total, 0, width);
            take(per::row, 0, total, row, of_row);
            if constexpr (keeps(per::row)) advance_row(first + b, u[b], of_row);
        }
    }

public:
    reduced_update(rule_scalars<Rule, T> const& scalars, M* first, slots const& slot, std::int64_t length, Rows const& which, void* scratch)
        : s(scalars), absent(absent_of(scalars)), param(first), at(slot), row(length), rows(which),
          columns{static_cast<double*>(scratch), length} {}

    /// Adds the terms of this variable to the reductions over all variables.
    XGRAD_KERNEL void add_to(double* sum, double& elements) const {
        sums total;
        T const none[buffers] = {};
        typename Rows::cursor cursor;
        if constexpr (plan::takes(false, 0, Rows::whole))
            for (std::int64_t n = 0; n < rows.count; ++n)
                reduce_row<0, gives::to_others>(rows.table_row(n), rows.find(n, cursor), none, total);
        if constexpr (plan::takes(true, 0, Rows::whole)) reduce_slices<0>(none, total);
        for (std::size_t k = 0; k < terms; ++k) sum[k] += total.of(k);
        elements += static_cast<double>(rows.count * row);
    }
    XGRAD_KERNEL void run() const {
        if (rows.count == 0 || row == 0) return;
        T values[buffers] = {};
        columns.begin();
        if constexpr (!moves_after) reduce(std::make_integer_sequence<int, stages>{}, values);
        sums total;
        typename Rows::cursor cursor;
        std::int64_t n = 0;
        if constexpr (several_then_move())
            for (; n + batches_at_once <= rows.count; n += batches_at_once) update_rows_then_move(n, total);
        for (; n < rows.count; ++n) {
            if constexpr (Rows::scattered) ask_ahead(param, at, row, rows.step(), rows.rows, n, rows.count);
            std::int64_t const r = rows.table_row(n);
            found_row<T> const u = rows.find(n, cursor);
            if constexpr (moves_after) update_then_move(r, u, total);
            else {
                T of_row[buffers];
                std::copy(values, values + buffers, of_row);
                take_row<stages, plan::moving_pass() == stages>(r, u, of_row);
                update_row(r, u, of_row);
            }
        }
        if constexpr (moves_after) {
            take(per::variable, 0, total, rows.count * row, values);
            columns.finish(0, rows.count);
            advance_rest(values);
        }
    }
};
}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
