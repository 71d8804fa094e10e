// SPDX-License-Identifier: MIT
// A loop nest whose SIMD lanes run along an outer dimension. The outermost loop goes over blocks of lanes; the other outer dimensions and
// the rows are inside. A value per row is a batch, so short rows fill all lanes, and sums across lanes are needed only at the end.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/nest.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Runs the instructions I... like `nest`, but along the outer dimension Lane.
/// - Inner: the length of rows, or run_time_length: it is passed at run time.
/// - `Room`: space for the sums of a row's elements if the length is passed at run time.
/// - Loads and stores have 4 added to their access if lanes are adjacent in memory. Otherwise all lanes use the same address.
/// - Reductions go over the row, over everything, or over all outer dimensions.
template<class T, long long Inner, int OuterRank, int Phases, int Lane, int Room, class... I>
struct lane_nest {
    using V = typename detail::lanes<T>::type;
    static constexpr std::int64_t W = detail::lanes<T>::width;
    static constexpr int count = sizeof...(I);
    using operands = detail::operands_of<I...>;
    using state = row_position<OuterRank, operands::count>;
    static constexpr int outside = ((1 << OuterRank) - 1) & ~(1 << Lane);
    using list = detail::instruction_list<std::make_integer_sequence<int, count>, I...>;
    template<int K>
    using at = decltype(detail::instruction_at<K>(static_cast<list const*>(nullptr)));
    template<int Level, int Phase>
    using at_level = detail::chosen_at<Level, Phase, I...>;
    template<int Phase>
    using sums_of = detail::chosen_sums<Phase, I...>;
    using reductions = detail::chosen_reductions<I...>;
    using passes = std::make_integer_sequence<int, Phases>;
    template<int Phase>
    static constexpr bool has_elements = ((detail::about<I>::level == 2 && detail::about<I>::phase == Phase) || ...);
    static constexpr bool once[sizeof...(I)] = {(detail::about<I>::level == 0)...};
    static constexpr bool uses_scratch = false;
    struct reg {   // values that are computed once are in [0]
        V lane[4];
    };
    XGRAD_KERNEL static std::int64_t length(step_arguments const& a) { return Inner >= 0 ? Inner : a.inner; }
    // Sums over all outer dimensions: one for each element of the row.
    static constexpr bool keeps[sizeof...(I)] = {detail::sums_columns<I>...};
    static constexpr int kept_count = (detail::sums_columns<I> + ... + 0);
    template<int K>
    static constexpr int kept_index = [] {
        int n = 0;
        for (int k = 0; k < K; ++k) n += keeps[k];
        return n;
    }();
    using total_type = std::conditional_t<std::is_floating_point_v<T>, double, T>;
    static constexpr int kept_length = kept_count == 0 ? 1 : Inner >= 0 ? static_cast<int>(Inner) : Room > 0 ? Room : 1;
    /// After `terms` iterations, the kept sums are added to doubles.
    static constexpr bool moves = sums_in_double<T> && ((detail::sums_columns<I> && detail::sums_up<I>) || ...);
    static constexpr bool long_rows = sums_in_double<T> && Inner < 0 && (detail::sums_row<I> || ...);
    struct sums {
        V part[count][4];
        V more[long_rows ? count : 1][4];
        V kept[kept_count > 0 ? kept_count : 1][kept_length];
        double moved[moves ? kept_count : 1][moves ? kept_length : 1];
        total_type total[count];
        int terms;
    };
    template<int K, int A, int L, int P, int O, int S, class M>
    XGRAD_KERNEL static void move_sum(rd<monoid::sum, A, L, P, false, O, S, M>, sums& q, std::int64_t n) {
        if constexpr (keeps[K]) detail::move_lanes_to_doubles<T>(q.kept[kept_index<K>], q.moved[kept_index<K>], n);
    }
    template<int K, class J>
    XGRAD_KERNEL static void move_sum(J, sums&, std::int64_t) {}
    template<int... K>
    XGRAD_KERNEL static void end_turn(sums& q, std::int64_t n, std::integer_sequence<int, K...>) {
        if constexpr (moves)
            if (++q.terms == terms_in_float) {
                (move_sum<K>(at<K>{}, q, n), ...);
                q.terms = 0;
            }
    }

    template<int K, class O, int... A>
    XGRAD_KERNEL static void apply(reg* r, int u) {
        r[K].lane[u] = O::value(r[A].lane[once[A] ? 0 : u]...);
    }

    // Batches B... of lanes at element j of the row. If Partial, the last batch has n < W lanes.
    template<bool Partial, int... B>
    struct block {
        static constexpr int U = sizeof...(B);
        reg* r;
        sums& q;
        state const& s;
        std::size_t n;

        template<class M, int S, int N>
        XGRAD_KERNEL M* address(std::int64_t j) const {
            M* p = reinterpret_cast<M*>(s.at[S]);
            return (N & 3) == 1 ? p + j : (N & 3) == 2 ? p + j * s.a.operands[S].inner : p;
        }
        template<int K, int S, class M, int L, int P, int N>
        XGRAD_KERNEL void run(ld<S, M, L, P, N>, std::int64_t j) const {
            M const* p = address<M const, S, N>(j);
            for (int u = 0; u < U; ++u)
                if constexpr ((N & 4) == 0) r[K].lane[u] = V(static_cast<T>(*p));
                else if constexpr (Partial) r[K].lane[u] = detail::load_some<V>(p, n);
                else r[K].lane[u] = detail::load_full<V>(p + u * W);
        }
        template<int K, class O, int L, int P, int... A>
        XGRAD_KERNEL void run(ap<O, L, P, A...>, std::int64_t) const {
            (apply<K, O, A...>(r, B), ...);
        }
        template<int K, int A, int S, class M, int L, int P, int N>
        XGRAD_KERNEL void run(st<A, S, M, L, P, N>, std::int64_t j) const {
            M* p = address<M, S, N>(j);
            for (int u = 0; u < U; ++u) {
                V const x = r[A].lane[once[A] ? 0 : u];
                if constexpr ((N & 4) == 0) detail::store_full(p, detail::first_lane(x));
                else if constexpr (Partial) simd::store_partial_as(p, x, n);
                else detail::store_full(p + u * W, x);
            }
        }
        template<int K, monoid C, int A, int L, int P, bool N, int O, int S, class M>
        XGRAD_KERNEL void run(rd<C, A, L, P, N, O, S, M>, std::int64_t j) const {
            if constexpr (N && L == 2)
                for (int u = 0; u < U; ++u) q.part[K][u] = detail::combine<C>(q.part[K][u], r[A].lane[once[A] ? 0 : u]);
            else if constexpr (L == 2) {
                V& to = q.kept[kept_index<K>][j];
                to = detail::combine<C>(to, all_lanes<C>(r[A].lane, once[A]));
            } else add_total<K, C>(all_lanes<C>(r[A].lane, once[A]));
        }
        // Combines the batches of a block. Lanes beyond the end are ignored.
        template<monoid C>
        XGRAD_KERNEL V all_lanes(V const* x, bool same) const {
            V y = x[0];
            for (int u = 1; u < U; ++u) y = detail::combine<C>(y, x[same ? 0 : u]);
            if constexpr (Partial) y = detail::first_lanes<C>(y, static_cast<std::int64_t>(n));
            return y;
        }
        template<int K, monoid C>
        XGRAD_KERNEL void add_total(V x) const {
            q.total[K] = detail::combine<C>(q.total[K], static_cast<total_type>(detail::across<C>(x)));
        }

        template<int K, monoid C, int A, int L, int P, bool N, int O, int S, class M>
        XGRAD_KERNEL void begin(rd<C, A, L, P, N, O, S, M>) const {
            if constexpr (N)
                for (int u = 0; u < U; ++u) q.part[K][u] = V(detail::identity<C, T>());
        }
        template<int K, monoid C, int A, int L, int P, bool N, int O, int S, class M>
        XGRAD_KERNEL void end(rd<C, A, L, P, N, O, S, M>) const {
            if constexpr (N && O != 0) add_total<K, C>(all_lanes<C>(q.part[K], false));
            else if constexpr (N)
                for (int u = 0; u < U; ++u) r[K].lane[u] = q.part[K][u];
        }

        // The sums of some elements of a long row are added to other batches. At the end of the row these replace them.
        template<int K, int A, int L, int P, int O, int S, class M>
        XGRAD_KERNEL void put(rd<monoid::sum, A, L, P, true, O, S, M>, bool first, bool last) const {
            for (int u = 0; u < U; ++u) {
                V const sum = first ? q.part[K][u] : q.more[K][u] + q.part[K][u];
                q.more[K][u] = sum;
                q.part[K][u] = last ? sum : V(T(0));
            }
        }
        template<int K, class J>
        XGRAD_KERNEL void put(J, bool, bool) const {}
        template<int... K>
        XGRAD_KERNEL void put_aside([[maybe_unused]] bool first, [[maybe_unused]] bool last, std::integer_sequence<int, K...>) const {
            if constexpr (long_rows) (put<K>(at<K>{}, first, last), ...);
        }

        // ---- all instructions of a level and phase
        template<int... K>
        XGRAD_KERNEL void each([[maybe_unused]] std::int64_t j, std::integer_sequence<int, K...>) const {
            (run<K>(at<K>{}, j), ...);
        }
        template<int... K>
        XGRAD_KERNEL void begin_sums(std::integer_sequence<int, K...>) const {
            (begin<K>(at<K>{}), ...);
        }
        template<int... K>
        XGRAD_KERNEL void end_sums(std::integer_sequence<int, K...>) const {
            (end<K>(at<K>{}), ...);
        }
        template<int Phase>
        XGRAD_KERNEL void pass() const {
            each(0, at_level<1, Phase>{});
            if constexpr (has_elements<Phase>) {
                begin_sums(sums_of<Phase>{});
                std::int64_t const m = length(s.a);
                for (std::int64_t j = 0, end = m;;) {
                    if constexpr (long_rows) end = m - j > terms_in_float ? j + terms_in_float : m;
                    for (; j < end; ++j) each(j, at_level<2, Phase>{});
                    if (!long_rows || m <= terms_in_float) break;
                    put_aside(j <= terms_in_float, end == m, sums_of<Phase>{});
                    if (end == m) break;
                }
                end_sums(sums_of<Phase>{});
            }
        }
    };
    template<bool Partial, int... B, int... P>
    XGRAD_KERNEL static void lanes(
        reg* r, sums& q, state& s, std::int64_t first, std::size_t n, std::integer_sequence<int, B...>, std::integer_sequence<int, P...>) {
        block<Partial, B...> const b{r, q, s, n};
        s.index[Lane] = first;
        s.place_all(operands::bytes.of);
        do {
            (b.template pass<P>(), ...);
            end_turn(q, length(s.a), reductions{});
        } while (s.template next<outside>(operands::bytes.of));
    }

    // ---- once
    template<int K, int S, class M, int L, int P, int N>
    XGRAD_KERNEL static void single(ld<S, M, L, P, N>, reg* r, step_arguments const& a) {
        r[K].lane[0] = V(static_cast<T>(*reinterpret_cast<M const*>(a.operands[S].data)));
    }
    template<int K, int N>
    XGRAD_KERNEL static void single(pa<N>, reg* r, step_arguments const& a) {
        r[K].lane[0] = V(static_cast<T>(a.params[N]));
    }
    template<int K, class O, int L, int P, int... A>
    XGRAD_KERNEL static void single(ap<O, L, P, A...>, reg* r, step_arguments const&) {
        r[K].lane[0] = O::value(r[A].lane[0]...);
    }
    template<int K, int A, int S, class M, int L, int P, int N>
    XGRAD_KERNEL static void single(st<A, S, M, L, P, N>, reg* r, step_arguments const& a) {
        detail::store_full(reinterpret_cast<M*>(a.operands[S].data), detail::first_lane(r[A].lane[0]));
    }
    template<int... K>
    XGRAD_KERNEL static void singles([[maybe_unused]] reg* r, [[maybe_unused]] step_arguments const& a, std::integer_sequence<int, K...>) {
        (single<K>(at<K>{}, r, a), ...);
    }
    template<int K, monoid C, int A, int L, int P, bool N, int O, int S, class M>
    XGRAD_KERNEL static void prepare(rd<C, A, L, P, N, O, S, M>, sums& q, [[maybe_unused]] step_arguments const& a) {
        q.total[K] = detail::identity<C, total_type>();
        if constexpr (keeps[K])
            for (std::int64_t j = 0, m = length(a); j < m; ++j) {
                q.kept[kept_index<K>][j] = V(detail::identity<C, T>());
                if constexpr (moves) q.moved[kept_index<K>][j] = 0;
            }
    }
    template<int K, monoid C, int A, int L, int P, bool N, int O, int S, class M>
    XGRAD_KERNEL static void finish(rd<C, A, L, P, N, O, S, M>, sums& q, step_arguments const& a) {
        if constexpr (O != 0) {
            M* p = reinterpret_cast<M*>(a.operands[S].data);
            if constexpr (keeps[K])
                for (std::int64_t j = 0, m = length(a); j < m; ++j)
                    if constexpr (moves && C == monoid::sum)
                        p[j * a.operands[S].inner] = static_cast<M>(
                            static_cast<T>(q.moved[kept_index<K>][j] + static_cast<double>(detail::across<C>(q.kept[kept_index<K>][j]))));
                    else p[j * a.operands[S].inner] = static_cast<M>(detail::across<C>(q.kept[kept_index<K>][j]));
            else *p = static_cast<M>(q.total[K]);
        }
    }

    template<int... K, int... P>   // K: reductions
    XGRAD_KERNEL static void run(step_arguments const& a, std::integer_sequence<int, K...>, std::integer_sequence<int, P...> all) {
        constexpr auto four = std::make_integer_sequence<int, 4>{};
        constexpr auto one = std::make_integer_sequence<int, 1>{};
        reg r[count];
        sums q;
        q.terms = 0;
        state s{a};
        (prepare<K>(at<K>{}, q, a), ...);
        singles(r, a, at_level<0, 0>{});
        bool empty = false;
        for (int d = 0; d < OuterRank; ++d) empty = empty || a.extent[d] == 0;
        if (!empty) {
            std::int64_t const n = a.extent[Lane];
            std::int64_t j = 0;
            for (; j + 4 * W <= n; j += 4 * W) lanes<false>(r, q, s, j, 0, four, all);
            for (; j + W <= n; j += W) lanes<false>(r, q, s, j, 0, one, all);
            if constexpr (W > 1)
                if (j < n) lanes<true>(r, q, s, j, static_cast<std::size_t>(n - j), one, all);
        }
        (finish<K>(at<K>{}, q, a), ...);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
