// SPDX-License-Identifier: MIT
// The passes of an update of a rule that needs values over rows, columns or the whole variable, or keeps one number for each of them.
#pragma once

#include <xgrad/core/math.hpp>
#include <xgrad/kernels/reduced_rows.hpp>
#include <xgrad/kernels/reduced_sums.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

namespace detail {
/// With OfAll of the reductions over all variables, else of those of one. All of it is inlined, so that no store of a T can change what is read here.
template<class Rule, class T, class M, class Rows, bool OfAll>
class reduced_update {
    using V = simd::batch<T>;
    using slots = slot_pointers<Rule, T>;
    static constexpr declared_list<reduction_info> declared{
        rule_reductions<Rule>.first + (OfAll ? own_reductions<Rule> : 0), OfAll ? optimizer_reductions<Rule> : own_reductions<Rule>};
    static constexpr std::size_t terms = static_cast<std::size_t>(declared.count), buffers = terms == 0 ? 1 : terms;
    static constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>), half = static_cast<std::int64_t>(simd::width<double>);
    static constexpr std::size_t parts = simd::width<T> / simd::width<double>;
    static constexpr int batches_at_once = 4;   // added up in T before they are in double: three roundings, and a fourth of the conversions
    using all = std::make_index_sequence<terms>;
    using sums = reduced_sums<declared, T>;
    template<std::size_t K>
    using together = gathered<declared[K].kind>;
    static constexpr bool moves_behind = slots_move_behind<Rule> && !OfAll;
    static constexpr int stages = OfAll ? 1 : reduction_stages<Rule>;
    static constexpr bool reduces(per scope, int stage) {
        bool any = false;
        for (reduction_info const& r : declared) any = any || (r.scope == scope && r.stage == stage);
        return any;
    }
    static constexpr bool goes_over_rows(int stage) { return reduces(per::variable, stage) || reduces(per::column, stage); }
    static constexpr bool keeps(per scope) { return rule_slots<Rule>.count_of(scope) > 0; }
    static constexpr int column_of(std::size_t k) {   // among the reductions per column
        int n = 0;
        for (std::size_t i = 0; i < k; ++i) n += declared[i].scope == per::column;
        return n;
    }

    rule_scalars<Rule, T> const s, absent;   // of rows that do not occur
    M* const param;
    slots const at;
    std::int64_t const row;
    Rows const rows;
    double* const columns;   // of each reduction per column `row` values

    static rule_scalars<Rule, T> absent_of(rule_scalars<Rule, T> const& scalars) {
        if constexpr (moves_absent_rows<Rule>) return Rule::absent_row(scalars);
        else return scalars;
    }
    // Of a row whose gradient is u.
    XGRAD_KERNEL rule_scalars<Rule, T> const& scalars_of([[maybe_unused]] found_row<T> u) const {
        if constexpr (moves_absent_rows<Rule>)
            if (u.u < 0) return absent;
        return s;
    }

    // Elements e .. e + n − 1 of a row give x to reduction K.
    template<std::size_t K, std::size_t... P>
    XGRAD_KERNEL void add_parts(
        std::index_sequence<P...>, V x, sums& total, [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::int64_t n) const {
        if constexpr (declared[K].scope != per::column) {
            ((total.lane[K][P] = together<K>::of(total.lane[K][P], simd::doubles<P>(x))), ...);
        } else {
            double* const to = columns + column_of(K) * row + e;
            (add_columns<K>(to + P * half, simd::doubles<P>(x), n - static_cast<std::int64_t>(P) * half), ...);
        }
    }
    template<std::size_t K>
    XGRAD_KERNEL static void add_columns(double* to, simd::batch<double> x, std::int64_t n) {
        if (n >= half) {
            simd::store(to, together<K>::of(simd::load(to), x));
        } else if (n > 0) {
            auto const rest = static_cast<std::size_t>(n);
            simd::store_partial(to, together<K>::of(simd::load_partial(to, rest), x), rest);
        }
    }
    template<int Stage, bool Row, std::size_t K>
    XGRAD_KERNEL void add_one(V x, sums& total, std::int64_t e, std::int64_t n) const {
        if constexpr (declared[K].stage == Stage && (moves_behind || (declared[K].scope == per::row) == Row))
            add_parts<K>(std::make_index_sequence<parts>{}, x, total, e, n);
    }
    template<int Stage, bool Row, std::size_t... K>
    XGRAD_KERNEL void add(std::index_sequence<K...>, V const* term, sums& total, std::int64_t e, std::int64_t n) const {
        (add_one<Stage, Row, K>(term[K], total, e, n), ...);
    }
    // The values of reduction K for the elements from e on, if it is of a stage before this one; else 0.
    template<int Stage, std::size_t K>
    XGRAD_KERNEL V value(T const* values, [[maybe_unused]] std::int64_t e, [[maybe_unused]] std::size_t n) const {
        if constexpr (declared[K].stage >= Stage) return V(T(0));
        else if constexpr (declared[K].scope != per::column) return V(values[K]);
        else {
            double const* const from = columns + column_of(K) * row + e;
            return n == simd::width<T> ? simd::load_as<T>(from) : simd::load_partial_as<T>(from, n, T(1));
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
        if constexpr (Stage == 0 && !moves_behind) at.keep_elements(slot);
        if constexpr (OfAll) Rule::optimizer_terms(scalars_of(u), p, grad, static_cast<V const*>(slot), term);
        else if constexpr (stages == 1) Rule::terms(scalars_of(u), p, grad, static_cast<V const*>(slot), term);
        else {
            V reduced[buffers];
            spread<Stage>(all{}, values, reduced, e, n);
            Rule::terms(scalars_of(u), p, grad, static_cast<V const*>(slot), static_cast<V const*>(reduced), term);
        }
    }
    template<std::size_t... K>
    XGRAD_KERNEL static void gather(std::index_sequence<K...>, V* term, V const* next) {
        ((term[K] = together<K>::of(term[K], next[K])), ...);
    }
    // Lanes behind the end of a row give nothing.
    template<std::size_t... K, class There>
    XGRAD_KERNEL static void leave_out(std::index_sequence<K...>, V* term, There const& there) {
        ((term[K] = math::select(there, term[K], V(static_cast<T>(together<K>::none)))), ...);
    }
    // Of a whole batch, from element e of row r on.
    template<int Stage>
    XGRAD_KERNEL void batch_terms(std::int64_t r, found_row<T> u, std::int64_t e, V* slot, V* term, T const* values) const {
        std::int64_t const i = r * rows.step() + e;
        at.load_along(slot, {i, r, e});
        terms_of<Stage>(u, simd::load_as<T>(param + i), rows.load(u, e), slot, term, values, e, simd::width<T>);
    }
    // What row r gives to the reductions of a stage per row (Row), or to the others; where slots move behind, to both; u: of its gradient; values: of earlier stages.
    template<int Stage, bool Row>
    XGRAD_KERNEL void reduce_row(std::int64_t r, found_row<T> u, T const* values, sums& total) const {
        std::int64_t const base = r * rows.step();
        V slot[slots::buffers], term[buffers];
        at.load_fixed(slot, {base, r});
        std::int64_t e = 0;
        if constexpr (!reduces(per::column, Stage))
            for (; e + batches_at_once * width <= row; e += batches_at_once * width) {
                batch_terms<Stage>(r, u, e, slot, term, values);
                for (int b = 1; b < batches_at_once; ++b) {
                    V next[buffers];
                    batch_terms<Stage>(r, u, e + b * width, slot, next, values);
                    gather(all{}, term, next);
                }
                add<Stage, Row>(all{}, term, total, e, width);
            }
        for (; e + width <= row; e += width) {
            batch_terms<Stage>(r, u, e, slot, term, values);
            add<Stage, Row>(all{}, term, total, e, width);
        }
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            at.load_along_partial(slot, {base + e, r, e}, rest);
            terms_of<Stage>(
                u, simd::load_partial_as<T>(param + base + e, rest), rows.load_partial(u, e, rest), slot, term, values, e, rest);
            auto const there = simd::iota<V>() < V(static_cast<T>(rest));
            leave_out(all{}, term, there);
            add<Stage, Row>(all{}, term, total, e, row - e);
        }
    }

    static double scaled(std::size_t k, double sum, std::int64_t elements) {
        return declared[k].kind == reduction::mean ? sum / static_cast<double>(elements) : sum;
    }
    /// The values of a stage and scope, beside those that are there; the others are 0.
    XGRAD_KERNEL void take(per scope, int stage, sums const& total, std::int64_t elements, T* reduced) const {
        for (std::size_t k = 0; k < terms; ++k)
            if (declared[k].scope == scope && declared[k].stage == stage) reduced[k] = static_cast<T>(scaled(k, total.of(k), elements));
    }
    XGRAD_KERNEL void scale_columns(int stage) const {
        for (std::size_t k = 0; k < terms; ++k) {
            double* const values = columns + column_of(k) * row;
            bool const there = declared[k].scope == per::column && declared[k].stage == stage;
            for (std::int64_t j = 0; there && j < row; ++j) values[j] = scaled(k, values[j], rows.count);
        }
    }
    XGRAD_KERNEL void advance_columns(T const* of_variable) const {
        for (std::int64_t j = 0; j < row; ++j) {
            T reduced[buffers], slot[slots::buffers];
            for (std::size_t k = 0; k < terms; ++k) {
                bool const there = declared[k].scope == per::column && declared[k].stage == 0;
                reduced[k] = there ? static_cast<T>(columns[column_of(k) * row + j]) : of_variable[k];
            }
            at.template load_numbers<per::column>(slot, {0, 0, j});
            Rule::advance_column(s, slot, reduced);
            at.template store_numbers<per::column>(slot, {0, 0, j});
        }
    }
    XGRAD_KERNEL void advance_row(std::int64_t r, found_row<T> u, T const* values) const {
        T slot[slots::buffers];
        at.template load_numbers<per::row>(slot, {0, r});
        Rule::advance_row(scalars_of(u), slot, values);
        at.template store_numbers<per::row>(slot, {0, r});
    }
    // The slots per variable and per column.
    XGRAD_KERNEL void advance_rest([[maybe_unused]] T const* values) const {
        if constexpr (keeps(per::variable)) {
            T slot[slots::buffers];
            at.template load_numbers<per::variable>(slot, {0});
            Rule::advance_variable(s, slot, values);
            at.template store_numbers<per::variable>(slot, {0});
        }
        if constexpr (keeps(per::column)) advance_columns(values);
    }
    // Of row r: its reductions of the stages before this one, behind those of the first its slots if they move now. They are summed again in each pass:
    // the row is in the cache, and with -O3 the compiler leaves out what no body reads.
    template<int Stage, bool Moves>
    XGRAD_KERNEL void take_row([[maybe_unused]] std::int64_t r, found_row<T> u, [[maybe_unused]] T* values) const {
        if constexpr (Stage > 0) {
            take_row<Stage - 1, Moves>(r, u, values);
            if constexpr (reduces(per::row, Stage - 1)) {
                sums total;
                reduce_row<Stage - 1, true>(r, u, values, total);
                take(per::row, Stage - 1, total, row, values);
            }
            if constexpr (Stage == 1 && Moves && keeps(per::row)) advance_row(r, u, values);
        }
    }
    // The pass over the rows in which slots per row move: that of the first stage, if a later one may read them and they need nothing of the variable,
    // else the next that there is; `stages` is the last pass, the update.
    static constexpr int moving_pass() {
        bool const needs_variable = reduces(per::variable, 0) || keeps(per::variable);
        int pass = stages == 1 ? 1 : needs_variable ? 1 : 0;
        while (pass < stages && !goes_over_rows(pass)) ++pass;
        return pass;
    }
    template<int Stage>
    XGRAD_KERNEL void reduce_stage(T* values) const {
        if constexpr (goes_over_rows(Stage)) {
            constexpr bool moves = keeps(per::row) && moving_pass() == Stage;
            sums total;
            typename Rows::cursor cursor;
            for (std::int64_t n = 0; n < rows.count; ++n) {
                std::int64_t const r = rows.table_row(n);
                found_row<T> const u = rows.find(n, cursor);
                T of_row[buffers];
                std::copy(values, values + buffers, of_row);
                take_row<moves && Stage == 0 ? 1 : Stage, moves>(r, u, of_row);
                reduce_row<Stage, false>(r, u, of_row, total);
            }
            take(per::variable, Stage, total, rows.count * row, values);
            scale_columns(Stage);
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
            spread<moves_behind ? 0 : stages>(all{}, values, reduced, e, n);
            Rule::update(scalars_of(u), p, grad, slot, static_cast<V const*>(reduced));
        }
    }
    XGRAD_KERNEL void update_row(std::int64_t r, found_row<T> u, T const* values) const {
        std::int64_t const base = r * rows.step();
        V fixed[slots::buffers], slot[slots::buffers];
        at.load_fixed(fixed, {base, r});
        std::int64_t e = 0;
        for (; e + width <= row; e += width) {
            std::copy(fixed, fixed + slots::buffers, slot);
            at.load_along(slot, {base + e, r, e});
            V p = simd::load_as<T>(param + base + e);
            apply(u, p, rows.load(u, e), slot, values, e, simd::width<T>);
            simd::store_as(param + base + e, p);
            at.store(slot, {base + e});
        }
        if (e < row) {
            auto const rest = static_cast<std::size_t>(row - e);
            std::copy(fixed, fixed + slots::buffers, slot);
            at.load_along_partial(slot, {base + e, r, e}, rest);
            V p = simd::load_partial_as<T>(param + base + e, rest);
            apply(u, p, rows.load_partial(u, e, rest), slot, values, e, rest);
            simd::store_partial_as(param + base + e, p, rest);
            at.store_partial(slot, {base + e}, rest);
        }
    }
    // What is reduced is of the slots before the step, and moves them behind it.
    XGRAD_KERNEL void update_then_move(std::int64_t r, found_row<T> u, sums& total) const {
        T of_row[buffers] = {};
        total.restart(per::row);
        reduce_row<0, true>(r, u, of_row, total);
        update_row(r, u, of_row);
        take(per::row, 0, total, row, of_row);
        if constexpr (keeps(per::row)) advance_row(r, u, of_row);
    }
    template<std::size_t... K>
    XGRAD_KERNEL void begin_columns(std::index_sequence<K...>) const {
        (begin_column<K>(), ...);
    }
    template<std::size_t K>
    XGRAD_KERNEL void begin_column() const {
        if constexpr (declared[K].scope == per::column) std::fill_n(columns + column_of(K) * row, row, together<K>::none);
    }

public:
    reduced_update(rule_scalars<Rule, T> const& scalars, M* first, slots const& slot, std::int64_t length, Rows const& which, void* scratch)
        : s(scalars), absent(absent_of(scalars)), param(first), at(slot), row(length), rows(which), columns(static_cast<double*>(scratch)) {
    }

    /// Adds what this variable gives to the reductions over all of them.
    XGRAD_KERNEL void add_to(double* sum, double& elements) const {
        sums total;
        T const none[buffers] = {};
        typename Rows::cursor cursor;
        for (std::int64_t n = 0; n < rows.count; ++n) reduce_row<0, false>(rows.table_row(n), rows.find(n, cursor), none, total);
        for (std::size_t k = 0; k < terms; ++k) sum[k] += total.of(k);
        elements += static_cast<double>(rows.count * row);
    }
    XGRAD_KERNEL void run() const {
        if (rows.count == 0 || row == 0) return;
        T values[buffers] = {};
        begin_columns(all{});
        if constexpr (!moves_behind) reduce(std::make_integer_sequence<int, stages>{}, values);
        sums total;
        typename Rows::cursor cursor;
        for (std::int64_t n = 0; n < rows.count; ++n) {
            if constexpr (Rows::scattered) {
                if (n + prefetch_rows < rows.count) {
                    std::int64_t const ahead = rows.table_row(n + prefetch_rows);
                    prefetch_row(param + ahead * rows.step(), row);
                    at.prefetch(ahead, row, rows.step());
                }
            }
            std::int64_t const r = rows.table_row(n);
            found_row<T> const u = rows.find(n, cursor);
            if constexpr (moves_behind) update_then_move(r, u, total);
            else {
                T of_row[buffers];
                std::copy(values, values + buffers, of_row);
                take_row<stages, moving_pass() == stages>(r, u, of_row);
                update_row(r, u, of_row);
            }
        }
        if constexpr (moves_behind) {
            take(per::variable, 0, total, rows.count * row, values);
            scale_columns(0);
            advance_rest(values);
        }
    }
};
}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
