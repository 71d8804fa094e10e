// SPDX-License-Identifier: MIT
// Accumulates the reductions of a rule: sums and maxima, in double. Also: which reductions a rule has.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/core/rule_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// Whether a rule depends on the rows of a variable. For other rules a variable is one long row.
template<class Rule>
constexpr bool sees_rows() {
    constexpr auto by_rows = [](auto const& list) { return list.count_of(per::row) + list.count_of(per::column) > 0; };
    return by_rows(rule_slots<Rule>) || by_rows(rule_reductions<Rule>);
}
/// The number of reductions of a rule per column.
template<class Rule>
inline constexpr int column_reductions = rule_reductions<Rule>.count_of(per::column);

/// Which reductions receive a term. to_slices: those over single slices.
enum class gives { to_row, to_others, to_all, to_slices };

/// The reductions of an update: with OfAll those over all variables, otherwise those over one variable.
template<class Rule, bool OfAll>
struct reduction_plan {
    static constexpr declared_list<reduction_info> declared{
        rule_reductions<Rule>.first + (OfAll ? own_reductions<Rule> : 0), OfAll ? optimizer_reductions<Rule> : own_reductions<Rule>};
    static constexpr std::size_t terms = static_cast<std::size_t>(declared.count), buffers = terms == 0 ? 1 : terms;
    static constexpr bool moves_after = slots_move_behind<Rule> && !OfAll;
    static constexpr int stages = OfAll ? 1 : reduction_stages<Rule>;
    static constexpr bool reduces(per scope, int stage) {
        bool any = false;
        for (reduction_info const& r : declared) any = any || (r.scope == scope && r.stage == stage);
        return any;
    }
    // `whole`: the gradient has no slices.
    static constexpr bool is_of_slices(std::size_t k, bool whole) { return !whole && declared[k].each_slice; }
    /// Whether a stage has reductions over single slices, or (slices = false) other reductions that are not per row.
    static constexpr bool takes(bool slices, int stage, bool whole) {
        bool any = false;
        for (std::size_t k = 0; k < terms; ++k)
            any = any || (declared[k].stage == stage && declared[k].scope != per::row && is_of_slices(k, whole) == slices);
        return any;
    }
    static constexpr bool gets(std::size_t k, gives what, bool whole) {
        bool const slices = is_of_slices(k, whole);
        if (slices || what == gives::to_slices) return slices && what == gives::to_slices;
        return what == gives::to_all || (declared[k].scope == per::row) == (what == gives::to_row);
    }
    static constexpr bool goes_over_rows(int stage) { return reduces(per::variable, stage) || reduces(per::column, stage); }
    static double scaled(std::size_t k, double sum, std::int64_t elements) {
        return declared[k].kind == reduction::mean ? sum / static_cast<double>(elements) : sum;
    }
    static constexpr int column_of(std::size_t k) {   // its number among the reductions per column
        int n = 0;
        for (std::size_t i = 0; i < k; ++i) n += declared[i].scope == per::column;
        return n;
    }
    // The pass over the rows that updates the slots per row. It is the pass of the first stage, if later stages exist and these slots
    // need nothing of the variable. Otherwise it is the next pass that exists. `stages` means the last pass, the update.
    static constexpr int moving_pass() {
        bool const needs_variable = reduces(per::variable, 0) || rule_slots<Rule>.count_of(per::variable) > 0;
        int pass = stages == 1 ? 1 : needs_variable ? 1 : 0;
        while (pass < stages && !goes_over_rows(pass)) ++pass;
        return pass;
    }
};

/// Combines two terms; `none` is the identity.
template<reduction Kind>
struct gathered {
    static constexpr double none = 0;
    template<class V>
    XGRAD_KERNEL static V of(V a, V b) {
        return a + b;
    }
};
template<>
struct gathered<reduction::max> {
    static constexpr double none = -std::numeric_limits<double>::infinity();
    template<class V>
    XGRAD_KERNEL static V of(V a, V b) {   // NaN stays
        return math::where(math::not_equal(a, a), a, math::max(a, b));
    }
};

/// Reductions in progress of a rule that computes in T. Each term has lanes, so that whole batches are combined.
template<declared_list<reduction_info> const& Declared, class T>
struct reduced_sums {
    static constexpr std::size_t terms = static_cast<std::size_t>(Declared.count), parts = simd::width<T> / simd::width<double>;
    using batch = simd::batch<double>;
    batch lane[terms == 0 ? 1 : terms][parts];

    XGRAD_KERNEL reduced_sums() {
        begin(numbers{}, [](per) { return true; });
    }
    /// Resets the reductions of one scope.
    XGRAD_KERNEL void restart(per scope) {
        begin(numbers{}, [&](per of) { return of == scope; });
    }
    template<std::size_t K>
    XGRAD_KERNEL void add(simd::batch<T> x) {
        add_parts<K>(std::make_index_sequence<parts>{}, x);
    }
    XGRAD_KERNEL double of(std::size_t k) const {
        bool const greatest = terms > 0 && Declared[k].kind == reduction::max;
        return greatest ? together<reduction::max>(k) : together<reduction::sum>(k);
    }

private:
    using numbers = std::make_index_sequence<terms>;
    template<std::size_t K, std::size_t... P>
    XGRAD_KERNEL void add_parts(std::index_sequence<P...>, simd::batch<T> x) {
        ((lane[K][P] = gathered<Declared[K].kind>::of(lane[K][P], simd::doubles<P>(x))), ...);
    }
    template<std::size_t... K, class Takes>
    XGRAD_KERNEL void begin(std::index_sequence<K...>, Takes const& takes) {
        ((takes(Declared[K].scope) ? begin_one<K>() : void()), ...);
    }
    template<std::size_t K>
    XGRAD_KERNEL void begin_one() {
        for (auto& l : lane[K]) l = batch(gathered<Declared[K].kind>::none);
    }
    template<reduction Kind>
    XGRAD_KERNEL double together(std::size_t k) const {
        auto all = lane[k][0];
        for (std::size_t p = 1; p < parts; ++p) all = gathered<Kind>::of(all, lane[k][p]);
        if constexpr (Kind != reduction::max) return simd::sum(all);
        else {
            double one[simd::width<double>], greatest = gathered<Kind>::none;
            simd::store(one, all);
            for (double const x : one) greatest = gathered<Kind>::of(greatest, x);
            return greatest;
        }
    }
};

/// The terms of one batch, one for each reduction.
template<class Plan, class V>
struct term_lanes {
    /// Sets all terms to the identity.
    XGRAD_KERNEL static void begin(V* term) { begin(numbers{}, term); }
    XGRAD_KERNEL static void gather(V* term, V const* next) { gather(numbers{}, term, next); }
    /// Lanes after the end of a row contribute nothing.
    XGRAD_KERNEL static void omit_from(std::size_t rest, V* term) {
        auto const there = simd::iota<V>() < V(static_cast<typename V::value_type>(rest));
        leave_out(numbers{}, term, there);
    }

private:
    using numbers = std::make_index_sequence<Plan::terms>;
    template<std::size_t K>
    using together = gathered<Plan::declared[K].kind>;
    template<std::size_t K>
    XGRAD_KERNEL static V none() {
        return V(static_cast<typename V::value_type>(together<K>::none));
    }
    template<std::size_t... K>
    XGRAD_KERNEL static void begin(std::index_sequence<K...>, [[maybe_unused]] V* term) {
        ((term[K] = none<K>()), ...);
    }
    template<std::size_t... K>
    XGRAD_KERNEL static void gather(std::index_sequence<K...>, [[maybe_unused]] V* term, [[maybe_unused]] V const* next) {
        ((term[K] = together<K>::of(term[K], next[K])), ...);
    }
    template<std::size_t... K, class There>
    XGRAD_KERNEL static void leave_out(std::index_sequence<K...>, [[maybe_unused]] V* term, [[maybe_unused]] There const& there) {
        ((term[K] = math::select(there, term[K], none<K>())), ...);
    }
};

/// The reductions per column, in the scratch memory of an update: for each of them `row` doubles, one per column.
/// When they are complete, the results in T overwrite them.
template<class Plan, class T>
struct reduced_columns {
    double* first;
    std::int64_t row;

    XGRAD_KERNEL void begin() const { begin(std::make_index_sequence<Plan::terms>{}); }
    /// Adds x to columns e .. e + n - 1.
    template<std::size_t K>
    XGRAD_KERNEL void add(simd::batch<T> x, std::int64_t e, std::int64_t n) const {
        add_parts<K>(std::make_index_sequence<simd::width<T> / simd::width<double>>{}, x, sums(K) + e, n);
    }
    XGRAD_KERNEL T* values(std::size_t k) const { return reinterpret_cast<T*>(sums(k)); }
    /// Completes the reductions of a stage, over this number of rows.
    XGRAD_KERNEL void finish(int stage, std::int64_t rows) const {
        for (std::size_t k = 0; k < Plan::terms; ++k) {
            double const* const sum = sums(k);
            T* const to = values(k);
            bool const there = Plan::declared[k].scope == per::column && Plan::declared[k].stage == stage;
            for (std::int64_t j = 0; there && j < row; ++j) {
                T const x = static_cast<T>(Plan::scaled(k, sum[j], rows));
                __builtin_memcpy(to + j, &x, sizeof x);   // overwrites sums that have been read
            }
        }
    }

private:
    static constexpr std::int64_t half = static_cast<std::int64_t>(simd::width<double>);
    XGRAD_KERNEL double* sums(std::size_t k) const { return first + Plan::column_of(k) * row; }
    template<std::size_t... K>
    XGRAD_KERNEL void begin(std::index_sequence<K...>) const {
        (begin_one<K>(), ...);
    }
    template<std::size_t K>
    XGRAD_KERNEL void begin_one() const {
        if constexpr (Plan::declared[K].scope == per::column) std::fill_n(sums(K), row, gathered<Plan::declared[K].kind>::none);
    }
    template<std::size_t K, std::size_t... P>
    XGRAD_KERNEL void add_parts(std::index_sequence<P...>, simd::batch<T> x, double* to, std::int64_t n) const {
        (add_part<K>(to + P * half, simd::doubles<P>(x), n - static_cast<std::int64_t>(P) * half), ...);
    }
    template<std::size_t K>
    XGRAD_KERNEL static void add_part(double* to, simd::batch<double> x, std::int64_t n) {
        using together = gathered<Plan::declared[K].kind>;
        if (n >= half) {
            simd::store(to, together::of(simd::load(to), x));
        } else if (n > 0) {
            auto const rest = static_cast<std::size_t>(n);
            simd::store_partial(to, together::of(simd::load_partial(to, rest), x), rest);
        }
    }
};

}   // namespace detail

/// Bytes of scratch memory that an update of a rule with reductions needs, for rows of `row` elements.
template<class Rule>
constexpr std::size_t reduction_bytes(std::int64_t row) {
    return static_cast<std::size_t>(detail::column_reductions<Rule> * row) * sizeof(double);
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
