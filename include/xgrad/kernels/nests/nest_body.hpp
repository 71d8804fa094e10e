// SPDX-License-Identifier: MIT
// The instructions of a nest, and what its sums do to registers and memory. batch_instructions.hpp has the other instructions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/batch_instructions.hpp>
#include <xgrad/kernels/nests/kept_sums.hpp>
#include <xgrad/kernels/nests/padded_block.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// A value of Inner: the length is known and above 64, but passed at run time, so that many lengths share one kernel.
/// Its sums are bitwise equal to those of a static length.
inline constexpr long long run_time_length = -2;

namespace detail {
/// The most batches that run interleaved in a pass of a nest: eight if expensive operations keep the processor from looking ahead to the
/// next four batches.
template<class... I>
inline constexpr int most_batches = ((costly<I> ? 1 : 0) + ... + 0) >= 4 ? 8 : 4;
}   // namespace detail

/// The instructions I... of a `nest`, which runs its loops over them; register k is the result of instruction k. T: type of the
/// computation. Inner: static inner extent, run_time_length, or -1 (dynamic).
template<class T, long long Inner, int OuterRank, int Phases, class... I>
struct nest_body : batch_instructions<T, detail::most_batches<I...>, OuterRank, detail::operands_of<I...>::count> {
    using operands = detail::operands_of<I...>;
    using each = batch_instructions<T, detail::most_batches<I...>, OuterRank, operands::count>;
    using typename each::V, typename each::reg, typename each::state;
    using each::W, each::element, each::single;
    static constexpr int count = sizeof...(I);
    static constexpr int all_outer = (1 << OuterRank) - 1;
    template<int Phase>
    static constexpr bool has_elements = ((detail::about<I>::level == 2 && detail::about<I>::phase == Phase) || ...);
    using list = detail::instruction_list<std::make_integer_sequence<int, count>, I...>;
    template<int K>
    using at = decltype(detail::instruction_at<K>(static_cast<list const*>(nullptr)));
    static constexpr bool by_element[sizeof...(I)] = {(detail::about<I>::level == 2 && !detail::about<I>::reduces)...};
    template<int K>
    using form = detail::shared_form<at<K>, by_element>;
    template<int Level, int Phase>
    using at_level = detail::chosen_at<Level, Phase, I...>;
    template<int Phase>
    static constexpr auto places = detail::places_of(at_level<2, Phase>{});
    template<int Phase, int N>
    static constexpr int place = places<Phase>[N];
    template<int Phase, int N>
    using placed = form<place<Phase, N>>;
    // The next of U * count, at most 128: compilers limit the length of a fold expression (clang's -fbracket-depth).
    template<int Phase, int U, int First = 0>
    using instructions_on_batches = detail::integers_from<First, U* int{at_level<2, Phase>::size()}, 128>;
    template<class J>
    static constexpr bool by_lanes = detail::about<J>::operand >= 0 || detail::about<J>::reduces;   // others ignore the number of lanes
    template<int Phase, int U, bool Partial, int N>
    static constexpr bool is_tail = Partial && N % U == U - 1 && by_lanes<typename placed<Phase, N / U>::type>;
    template<class J>
    static constexpr bool adds_lanes = detail::about<J>::reduces && detail::access_of<J> < 0;
    template<int Phase>
    using sums_of = detail::chosen_sums<Phase, I...>;
    using reductions = detail::chosen_reductions<I...>;
    using passes = std::make_integer_sequence<int, Phases>;
    using total_type = std::conditional_t<std::is_floating_point_v<T>, double, T>;
    // Sums, exponentials, ... are chains of dependent operations. So four batches run interleaved: each instruction for all of them
    // before the next one. Eight if expensive operations keep the processor from looking ahead to the next four batches.
    template<int Phase>
    static constexpr int unroll =
        (((detail::about<I>::reduces || detail::costly<I>)&&detail::about<I>::level == 2 && detail::about<I>::phase == Phase) || ...) &&
                (Inner < 0 || Inner >= 4 * W)
            ? (W > 1 && detail::costly_count<Phase, I...> >= 4 ? 8 : 4)
            : 1;

    /// Sums over outer dimensions only, all over the same ones: columns of four batches stay in registers while those dimensions run.
    static constexpr int column_mask = [] {
        int mask = Phases == 1 && W > 1 ? 0 : -1;
        ((mask = !detail::about<I>::reduces                                               ? mask
                 : !detail::sums_columns<I> || (mask != 0 && mask != detail::outer_of<I>) ? -1
                                                                                          : detail::outer_of<I>),
            ...);
        return mask > 0 ? mask : 0;
    }();
    static constexpr bool by_columns = column_mask != 0;
    // Inner sums of one pass, one for each interleaved batch, and totals over everything.
    // `lane`: the sum that a batch after the last block is added to. `moved`: `row` already contains earlier parts.
    using kept_sums = detail::kept_sums<T, OuterRank, by_columns, count>;
    struct sums : detail::nest_sums {
        V part[count][detail::most_batches<I...>];
        double total[count], row[count];
        kept_sums kept;
        int lane;
        bool moved;
    };
    using in_scratch = detail::chosen<detail::choice<count>{{(detail::about<I>::reduces && kept_sums::template how<I> != 0)...}}>;
    static constexpr bool uses_scratch = in_scratch::size() > 0;
    XGRAD_KERNEL static std::int64_t length(step_arguments const& a) { return Inner >= 0 ? Inner : a.inner; }
    static std::size_t scratch(step_arguments const& a) { return detail::kept_bytes<nest_body>(a, length(a), in_scratch{}); }
    /// Lengths with a remainder: with many expensive operations a second copy of the body is too much code. So the last block is padded
    /// in memory and runs through the same body.
    template<int Phase>
    static constexpr bool padded = Inner == run_time_length && unroll<Phase> == 8 && !by_columns && !uses_scratch &&
                                   detail::touched_in<operands::count, Phase, I...>.contiguous;
    // ---- A sum of elements of interleaved batch u, at element j. If Partial, of n <= W elements, as padded lanes.
    template<bool Partial, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void element(
        rd<M, A, L, P, N, O, S, Memory> i, reg* r, sums& q, state const& s, int k, int a, std::int64_t j, std::int64_t n, int u) {
        V const x = each::value(r, a, u);
        constexpr bool kept = kept_sums::template how<decltype(i)> == 1;
        auto* const p = reinterpret_cast<std::conditional_t<kept, T, Memory>*>(kept ? q.kept.at[k] : s.at[S]) + j;
        if constexpr (!N && !by_columns && Partial)
            simd::store_partial_as(
                p, detail::combine<M>(detail::load_some<V>(p, static_cast<std::size_t>(n)), x), static_cast<std::size_t>(n));
        else if constexpr (!N && !by_columns) detail::store_full(p, detail::combine<M>(detail::load_full<V>(p), x));
        else if constexpr (!Partial) q.part[k][u] = detail::combine<M>(q.part[k][u], x);
        else if constexpr (Inner != run_time_length || by_columns || unroll<P> == 1 || padded<P>)
            q.part[k][u] = detail::combine<M>(q.part[k][u], detail::first_lanes<M>(x, n));
        else {
            V const there = detail::first_lanes<M>(x, n);
            for (int l = 0; l < unroll<P>; ++l)
                if (l == q.lane) q.part[k][l] = detail::combine<M>(q.part[k][l], there);
        }
    }
    // ---- A sum of a row's value.
    template<monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void single(rd<M, A, L, P, N, O, S, Memory> i, reg* r, sums& q, state const& s, int k, int) {
        accumulate(i, q, s, k, detail::first_lane(r[A].lane[0]));
    }
    // Adds the sum of a row to a reduction that also runs over outer dimensions: in a double for totals, else where it is kept.
    template<monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void accumulate(rd<M, A, L, P, N, O, S, Memory> i, sums& q, state const& s, int k, T x) {
        if constexpr (O == all_outer && M == monoid::sum && std::is_floating_point_v<T>) q.total[k] += static_cast<double>(x);
        else if constexpr (kept_sums::template how<decltype(i)> == 2) *reinterpret_cast<double*>(q.kept.at[k]) += static_cast<double>(x);
        else {
            Memory* p = reinterpret_cast<Memory*>(s.at[S]);
            *p = detail::combine<M>(*p, static_cast<Memory>(x));
        }
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void begin_sum(rd<M, A, L, P, N, O, S, Memory>, sums& q) {
        for (V& part : q.part[K]) part = V(detail::identity<M, T>());
    }
    template<int K, int Unroll, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void end_sum(rd<M, A, L, P, N, O, S, Memory> i, reg* r, sums& q, state const& s) {
        if constexpr (N) {
            for (int n = Unroll / 2; n > 0; n /= 2)
                for (int u = 0; u < n; ++u) q.part[K][u] = detail::combine<M>(q.part[K][2 * u], q.part[K][2 * u + 1]);
            V const x = q.part[K][0];
            T row = detail::across<M>(x);
            if constexpr (moves<P> && M == monoid::sum)
                if (q.moved) row = static_cast<T>(q.row[K] + static_cast<double>(row));
            if constexpr (O == 0) r[K].lane[0] = V(row);
            else accumulate(i, q, s, K, row);
        }
    }
    // Reductions that are kept in memory start with the identity there.
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    static void prefill(rd<M, A, L, P, N, O, S, Memory>, step_arguments const& a) {
        if constexpr (O != 0 && kept_sums::template how<at<K>> == 0 &&
                      !(O == all_outer && (N || L == 1) && M == monoid::sum && std::is_floating_point_v<T>))
            detail::begin_kept<M, Memory, OuterRank, O>(a, a.operands[S], N || L == 1 ? 1 : Inner >= 0 ? Inner : a.inner);
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void finish(rd<M, A, L, P, N, O, S, Memory>, sums& q, step_arguments const& a) {
        if constexpr (O != 0 && O == all_outer && (N || L == 1) && M == monoid::sum && std::is_floating_point_v<T>)
            *reinterpret_cast<Memory*>(a.operands[S].data) = static_cast<Memory>(q.total[K]);
    }

    // ---- all instructions of a level and phase
    template<int... K>
    XGRAD_KERNEL static void singles(
        [[maybe_unused]] reg* r, [[maybe_unused]] sums& q, [[maybe_unused]] state const& s, std::integer_sequence<int, K...>) {
        (single(typename form<K>::type{}, r, q, s, K, form<K>::source), ...);
    }
    // The instructions of a pass on U interleaved batches from element j on: each on all of them before the next one. N counts
    // both: instruction N / U, batch N % U. One function for many is less code than a function for each instruction, without
    // optimization. If Partial, the last batch has n < W elements.
    template<int Phase, int U, bool Partial, int First = 0, int... N>
    XGRAD_KERNEL static void elements(reg* r, sums& q, state const& s, std::int64_t j, std::int64_t n, std::integer_sequence<int, N...>) {
        (element<is_tail<Phase, U, Partial, N>>(
             typename placed<Phase, N / U>::type{}, r, q, s, place<Phase, N / U>, placed<Phase, N / U>::source, j + N % U * W, n, N % U),
            ...);
        constexpr int next = First + int{sizeof...(N)};
        if constexpr (next < U * int{at_level<2, Phase>::size()})
            elements<Phase, U, Partial, next>(r, q, s, j, n, instructions_on_batches<Phase, U, next>{});
    }
    template<int... K>
    XGRAD_KERNEL static void begin_sums([[maybe_unused]] sums& q, std::integer_sequence<int, K...>) {
        (begin_sum<K>(at<K>{}, q), ...);
    }
    template<int Unroll, int... K>
    XGRAD_KERNEL static void end_sums(
        [[maybe_unused]] reg* r, [[maybe_unused]] sums& q, [[maybe_unused]] state const& s, std::integer_sequence<int, K...>) {
        (end_sum<K, Unroll>(at<K>{}, r, q, s), ...);
    }
    // The same for a block whose elements from the n-th on are padding. Sums must ignore them.
    template<int Phase, int U, int First = 0, int... N>
    XGRAD_KERNEL static void block_of(reg* r, sums& q, state const& s, std::int64_t j, std::int64_t n, std::integer_sequence<int, N...>) {
        (element<adds_lanes<typename placed<Phase, N / U>::type>>(typename placed<Phase, N / U>::type{}, r, q, s, place<Phase, N / U>,
             placed<Phase, N / U>::source, j + N % U * W, n - N % U * W, N % U),
            ...);
        constexpr int next = First + int{sizeof...(N)};
        if constexpr (next < U * int{at_level<2, Phase>::size()})
            block_of<Phase, U, next>(r, q, s, j, n, instructions_on_batches<Phase, U, next>{});
    }
    // From time to time the sums of a long row are added to doubles.
    template<int Phase>
    static constexpr bool moves = sums_in_double<T> && Inner < 0 && ((detail::sums_row<I> && detail::about<I>::phase == Phase) || ...);
    template<int K, int A, int L, int P, int O, int S, class Memory, int... U>
    XGRAD_KERNEL static void move_sum(rd<monoid::sum, A, L, P, true, O, S, Memory>, sums& q, std::integer_sequence<int, U...>) {
        double const sum = detail::sum_in_double<T>(detail::taken(q.part[K][U])...);
        q.row[K] = q.moved ? q.row[K] + sum : sum;
    }
    template<int, class J, class Each>
    XGRAD_KERNEL static void move_sum(J, sums&, Each) {}
    template<int Unroll, int... K>
    XGRAD_KERNEL static void move_sums(sums& q, std::integer_sequence<int, K...>) {
        (move_sum<K>(at<K>{}, q, std::make_integer_sequence<int, Unroll>{}), ...);
        q.moved = true;
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
