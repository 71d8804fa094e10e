// SPDX-License-Identifier: MIT
// Loops over outer dimensions and an inner one that run straight-line instructions: loads, operations, reductions, stores. The list of
// instruction types depends only on what a step does, not on its place in a graph. So equal steps of a program share one function.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest_body.hpp>
#include <xgrad/kernels/nests/nest_columns.hpp>
#include <xgrad/kernels/nests/transposing_copy.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Runs the instructions I...; register k is the result of instruction k. T: type of the computation. Inner: static inner extent,
/// run_time_length, or -1 (dynamic). BlockRows > 0: that many rows may process one block of the inner dimension before the next block.
/// BlockRows = 0: each row runs to its end.
template<class T, long long Inner, int OuterRank, int Phases, int BlockRows, class... I>
struct nest : nest_body<T, Inner, OuterRank, Phases, I...> {
    using body = nest_body<T, Inner, OuterRank, Phases, I...>;
    using typename body::V, typename body::reg, typename body::sums, typename body::state, typename body::operands;
    using typename body::total_type, typename body::reductions, typename body::in_scratch;
    using body::W, body::count, body::all_outer, body::by_columns, body::uses_scratch, body::length, body::singles;
    template<int K>
    using at = typename body::template at<K>;
    template<int Level, int Phase>
    using at_level = typename body::template at_level<Level, Phase>;
    template<int Phase, int U>
    using on_batches = typename body::template instructions_on_batches<Phase, U>;
    template<int Phase>
    using sums_of = typename body::template sums_of<Phase>;

    // ---- blocks of U batches, the last one through a padded_block
    template<int Phase, int U>
    XGRAD_KERNEL static std::int64_t padded_blocks(reg* r, sums& q, state const& s, std::int64_t j, std::int64_t n) {
        constexpr std::int64_t elements = U * W;
        detail::padded_block<state, operands, detail::touched_in<operands::count, Phase, I...>, elements> room;
        state here = s;
        for (; j < n; j += elements) {
            std::int64_t const left = n - j;
            if (left < elements) room.enter(s, here, j, left);
            body::template block_of<Phase, U>(r, q, here, j, left, on_batches<Phase, U>{});
            if (left < elements) room.leave(s, j, left);
        }
        return n;
    }
    template<int Phase>
    XGRAD_KERNEL static void pass(reg* r, sums& q, state const& s, std::int64_t first, std::int64_t n) {
        if constexpr (at_level<1, Phase>::size() > 0) singles(r, q, s, at_level<1, Phase>{});
        if constexpr (body::template has_elements<Phase>) {
            constexpr int U = body::template unroll<Phase>;
            constexpr bool moves = body::template moves<Phase>, padded = body::template padded<Phase>;
            constexpr bool sums_up = sums_of<Phase>::size() > 0;
            if constexpr (sums_up) body::begin_sums(q, sums_of<Phase>{});
            std::int64_t j = first;
            q.moved = false;
            for (std::int64_t end = n;;) {
                if constexpr (moves) end = n - j > terms_in_float * U * W ? j + terms_in_float * U * W : n;
                if constexpr (padded) j = padded_blocks<Phase, U>(r, q, s, j, end);
                else
                    for (; j + U * W <= end; j += U * W) body::template elements<Phase, U, false>(r, q, s, j, 0, on_batches<Phase, U>{});
                if (!moves || end == n) break;
                if constexpr (moves) body::template move_sums<U>(q, sums_of<Phase>{});
            }
            if constexpr (!padded) {
                if constexpr (Inner >= 0) {
                    constexpr std::int64_t left = Inner % (U * W), batches = (left + W - 1) / W;   // after the last block of whole U * W
                    if constexpr (left > 0)
                        if (BlockRows == 0 || j < n)
                            body::template elements<Phase, int{batches}, left % W != 0>(
                                r, q, s, j, left % W, on_batches<Phase, int{batches}>{});
                } else {
                    if constexpr (U == 8 && Inner != run_time_length)
                        for (; j + 4 * W <= n; j += 4 * W) body::template elements<Phase, 4, false>(r, q, s, j, 0, on_batches<Phase, 4>{});
                    // The remaining batches run one by one through one copy of the body. With run_time_length each has its sum, q.lane.
                    constexpr bool one_body = W > 1 && U > 1 && (Inner == run_time_length || detail::costly_count<Phase, I...> > 0);
                    if constexpr (U > 1 && !one_body)
                        for (; j + W <= n; j += W) body::template elements<Phase, 1, false>(r, q, s, j, 0, on_batches<Phase, 1>{});
                    if constexpr (one_body)
                        for (q.lane = 0; j < n; j += W, ++q.lane)
                            body::template elements<Phase, 1, true>(r, q, s, j, n - j < W ? n - j : W, on_batches<Phase, 1>{});
                    else if constexpr (W > 1)
                        if (j < n) body::template elements<Phase, 1, true>(r, q, s, j, n - j, on_batches<Phase, 1>{});
                }
            }
            if constexpr (sums_up) body::template end_sums<U>(r, q, s, sums_of<Phase>{});
        }
    }
    template<int... K, int... P>
    XGRAD_KERNEL static void run(
        step_arguments const& a, std::integer_sequence<int, K...>, std::integer_sequence<int, P...>) {   // K: reductions
        reg r[count];
        sums q;
        for (int k = 0; k < count; ++k) q.total[k] = q.row[k] = 0;   // g++ warns of rows without it
        state s{a};
        (body::template prefill<K>(at<K>{}, a), ...);
        if constexpr (uses_scratch) detail::begin_kept_sums<nest>(q.kept, a, length(a), in_scratch{});
        if constexpr (at_level<0, 0>::size() > 0) singles(r, q, s, at_level<0, 0>{});
        std::int64_t const n = Inner >= 0 ? Inner : a.inner;
        bool empty = false;
        for (int d = 0; d < OuterRank; ++d) empty = empty || a.extent[d] == 0;
        if constexpr (OuterRank > 0 && detail::copy_of_strided<I...>::holds)
            if (!empty && detail::copy_of_strided<I...>::template run<OuterRank>(a, n)) return;
        if (!empty) {
            s.place_all(operands::bytes.of);
            if constexpr (by_columns) {
                do nest_columns<nest>::run(r, q, s, n);
                while (s.template next<all_outer & ~body::column_mask>(operands::bytes.of));
            } else if constexpr (BlockRows > 0) {
                blocks(r, q, s, n);
            } else {
                do {
                    if constexpr (uses_scratch) detail::begin_kept_row<nest>(q.kept, s, n, in_scratch{});
                    (pass<P>(r, q, s, 0, n), ...);
                    if constexpr (uses_scratch) detail::end_kept_row<nest>(q.kept, s, n, in_scratch{});
                } while (s.template next<all_outer>(operands::bytes.of));
            }
        }
        (body::template finish<K>(at<K>{}, q, a), ...);
        if constexpr (uses_scratch) detail::finish_kept_sums<nest>(q.kept, a, n, in_scratch{});
    }

    // ---- Blocks of the inner dimension, only with sums over rows. Sums of the first pass are complete after the last block.
    static constexpr std::int64_t block = 1024;
    static_assert(block % (8 * W) == 0);   // single batches remain only after the last block
    static constexpr int sum_count = detail::reductions_before<count, I...>;
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL static void add_block(rd<M, A, L, P, N, O, S, Memory>, reg* r, total_type* kept, bool first) {
        total_type& sum = kept[detail::reductions_before<K, I...>];
        auto const here = static_cast<total_type>(detail::first_lane(r[K].lane[0]));
        sum = first ? here : detail::combine<M>(sum, here);
        r[K].lane[0] = V(static_cast<T>(sum));
    }
    template<int... K>
    XGRAD_KERNEL static void add_blocks(
        [[maybe_unused]] reg* r, [[maybe_unused]] total_type* kept, [[maybe_unused]] bool first, std::integer_sequence<int, K...>) {
        (add_block<K>(at<K>{}, r, kept, first), ...);
    }
    XGRAD_KERNEL static void blocks(reg* r, sums& q, state& s, std::int64_t n) {
        static_assert(Phases == 2 && !body::template has_elements<1>);
        // Initialized because g++ warns about an array that the first block fills.
        total_type kept[BlockRows > 0 ? BlockRows : 1][sum_count > 0 ? sum_count : 1]{};
        std::int64_t first = 0, end = 0;
        do {
            end = n - first > block ? first + block : n;
            int row = 0;
            do {
                pass<0>(r, q, s, first, end);
                add_blocks(r, kept[row], first == 0, reductions{});
                if (end == n) pass<1>(r, q, s, first, end);
                ++row;
            } while (s.template next<all_outer>(operands::bytes.of));
            s.place_all(operands::bytes.of);
        } while ((first = end) < n);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
