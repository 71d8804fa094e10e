// SPDX-License-Identifier: MIT
// Sums over outer dimensions only, all over the same ones. Columns of up to four batches stay in registers while those dimensions run.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>
#include <xgrad/kernels/long_sums.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The columns of a `nest`.
template<class Nest>
struct nest_columns;
template<template<class, long long, int, int, int, class...> class Nest, class T, long long Inner, int OuterRank, int Phases, int BlockRows,
    class... I>
struct nest_columns<Nest<T, Inner, OuterRank, Phases, BlockRows, I...>> {
    using loop = Nest<T, Inner, OuterRank, Phases, BlockRows, I...>;
    using V = typename loop::V;
    using reg = typename loop::reg;
    using sums = typename loop::sums;
    using state = typename loop::state;
    using reductions = typename loop::reductions;
    static constexpr std::int64_t W = loop::W;
    static constexpr int sum_count = detail::reductions_before<loop::count, I...>;
    /// From time to time the sums of a column are added to doubles.
    static constexpr bool moves = sums_in_double<T> && ((detail::sums_up<I>) || ...);
    using totals = double[moves ? sum_count : 1][moves ? 4 * W : 1];

    // Registers are named individually: with a loop over them g++ keeps them in memory.
    template<int K, int A, int L, int P, int O, int S, class Memory, int... U>
    XGRAD_KERNEL static void move_sum(
        rd<monoid::sum, A, L, P, false, O, S, Memory>, sums& q, totals& to, std::integer_sequence<int, U...>) {
        (detail::add_batch_to_doubles<T>(detail::taken(q.part[K][U]), to[detail::reductions_before<K, I...>] + U * W), ...);
    }
    template<int K, class J, class Each>
    XGRAD_KERNEL static void move_sum(J, sums&, totals&, Each) {}
    template<int K, int A, int L, int P, int O, int S, class Memory, int... U>
    XGRAD_KERNEL static void take_sum(
        rd<monoid::sum, A, L, P, false, O, S, Memory>, sums& q, totals const& from, std::integer_sequence<int, U...>) {
        T lane[sizeof...(U) * W];
        for (std::size_t i = 0; i < sizeof...(U) * W; ++i) lane[i] = static_cast<T>(from[detail::reductions_before<K, I...>][i]);
        ((q.part[K][U] = simd::load(lane + U * W)), ...);
    }
    template<int K, class J, class Each>
    XGRAD_KERNEL static void take_sum(J, sums&, totals const&, Each) {}
    XGRAD_KERNEL static void clear(totals& total) {
        for (auto& one : total)
            for (double& x : one) x = 0;
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory, int... C>
    XGRAD_KERNEL static void begin(rd<M, A, L, P, N, O, S, Memory>, sums& q, std::integer_sequence<int, C...>) {
        ((q.part[K][C] = V(detail::identity<M, T>())), ...);
    }
    // If Partial, the last batch has n < W elements.
    template<bool Partial, int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory, int... U>
    XGRAD_KERNEL static void keep(
        rd<M, A, L, P, N, O, S, Memory>, sums& q, state const& s, std::int64_t j, std::int64_t n, std::integer_sequence<int, U...>) {
        Memory* p = reinterpret_cast<Memory*>(s.at[S]) + j;
        (keep_batch<(Partial && U + 1 == sizeof...(U))>(p + U * W, q.part[K][U], n), ...);
    }
    template<bool Partial, class Memory>
    XGRAD_KERNEL static void keep_batch(Memory* p, V x, std::int64_t n) {
        if constexpr (Partial) simd::store_partial_as(p, x, static_cast<std::size_t>(n));
        else detail::store_full(p, x);
    }
    template<int U, bool Partial, int... K>
    XGRAD_KERNEL static void column(
        reg* r, sums& q, state& s, std::int64_t j, std::int64_t n, std::integer_sequence<int, K...>) {   // K: reductions
        alignas(64) [[maybe_unused]] totals total;
        constexpr std::make_integer_sequence<int, U> each{};
        (begin<K>(typename loop::template at<K>{}, q, each), ...);
        bool more = true, moved = false;
        std::int64_t by[state::room];
        s.template steps<loop::column_mask>(by);
        do {
            std::int64_t left = terms_in_float;
            do {
                std::int64_t const along = s.template left<loop::column_mask>(), turns = !moves || along < left ? along : left;
                for (std::int64_t k = turns; k > 0; --k) {
                    loop::singles(r, q, s, typename loop::template at_level<1, 0>{});
                    loop::template elements<0, U, Partial>(r, q, s, j, n, typename loop::template instructions_on_batches<0, U>{});
                    s.template step<loop::column_mask>(by, loop::operands::bytes.of);
                }
                more = s.template next_after<loop::column_mask>(turns, loop::operands::bytes.of);
                left -= turns;
            } while (more && (!moves || left > 0));
            if constexpr (moves)
                if (more || moved) {
                    if (!moved) clear(total);
                    moved = true;
                    (move_sum<K>(typename loop::template at<K>{}, q, total, each), ...);
                }
        } while (more);
        s.place_all(loop::operands::bytes.of);
        if constexpr (moves)
            if (moved) (take_sum<K>(typename loop::template at<K>{}, q, total, each), ...);
        (keep<Partial, K>(typename loop::template at<K>{}, q, s, j, n, each), ...);
    }
    XGRAD_KERNEL static void run(reg* r, sums& q, state& s, std::int64_t n) {
        constexpr reductions all{};
        std::int64_t j = 0;
        if constexpr (Inner < 0 || Inner >= 4 * W)
            for (; j + 4 * W <= n; j += 4 * W) column<4, false>(r, q, s, j, 0, all);
        if constexpr (Inner >= 0) {
            constexpr std::int64_t left = Inner % (4 * W);
            constexpr int batches = static_cast<int>((left + W - 1) / W);
            if constexpr (left > 0) column<batches, left % W != 0>(r, q, s, j, left % W, all);
        } else {
            for (; j + W <= n; j += W) column<1, false>(r, q, s, j, 0, all);
            if (j < n) column<1, true>(r, q, s, j, n - j, all);
        }
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
