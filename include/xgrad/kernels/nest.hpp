// SPDX-License-Identifier: MIT
// Loops over outer dimensions and an inner one that run a straight-line program: loads, operations, reductions, stores. The program is a list of
// types, made from what a step does and not from where it stands in a graph, so equal steps of one program are one function.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/core/op.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/kernels/arguments.hpp>

#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

// Instructions. Level: 0 once, 1 for each row, 2 for each element. Phase: pass over the row. Inner: 0 uniform, 1 contiguous, 2 strided.
template<int Slot, class Memory, int Level, int Phase, int Inner> struct ld {};
template<int Slot, int Level, int Phase> struct ix {};
template<int Slot, int Level, int Phase> struct rn {};
template<int Param> struct pa {};
struct ac {};
template<class Op, int Level, int Phase, int... A> struct ap {};
template<monoid M, int A, int Level, int Phase, bool Inner, int Outer, int Slot, class Memory> struct rd {};
template<int A, int Slot, class Memory, int Level, int Phase, int Inner> struct st {};

namespace detail {
    template<class I> struct about;
    template<int S, class M, int L, int P, int N> struct about<ld<S, M, L, P, N>> { static constexpr int level = L, phase = P, slot = S; static constexpr bool reduces = false; };
    template<int S, int L, int P> struct about<ix<S, L, P>> { static constexpr int level = L, phase = P, slot = S; static constexpr bool reduces = false; };
    template<int S, int L, int P> struct about<rn<S, L, P>> { static constexpr int level = L, phase = P, slot = S; static constexpr bool reduces = false; };
    template<int N> struct about<pa<N>> { static constexpr int level = 0, phase = 0, slot = -1; static constexpr bool reduces = false; };
    template<> struct about<ac> { static constexpr int level = 2, phase = 0, slot = -1; static constexpr bool reduces = false; };
    template<class O, int L, int P, int... A> struct about<ap<O, L, P, A...>> { static constexpr int level = L, phase = P, slot = -1; static constexpr bool reduces = false; };
    template<monoid C, int A, int L, int P, bool N, int O, int S, class M> struct about<rd<C, A, L, P, N, O, S, M>> { static constexpr int level = L, phase = P, slot = O != 0 || !N ? S : -1; static constexpr bool reduces = true; };
    template<int A, int S, class M, int L, int P, int N> struct about<st<A, S, M, L, P, N>> { static constexpr int level = L, phase = P, slot = S; static constexpr bool reduces = false; };

    // One register of T: a batch for floating types, the number itself for integers.
    template<class T> struct lanes { using type = simd::batch<T>; static constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>); };
    template<> struct lanes<std::int32_t> { using type = std::int32_t; static constexpr std::int64_t width = 1; };
    template<> struct lanes<std::int64_t> { using type = std::int64_t; static constexpr std::int64_t width = 1; };

    template<class V, class M>
    XGRAD_INLINE V load_full(M const* p) {
        if constexpr (math::Scalar<V>) return static_cast<V>(*p);
        else return simd::load_as<typename V::value_type>(p);
    }
    template<class V, class M>
    XGRAD_INLINE V load_some(M const* p, std::size_t n) {
        return simd::load_partial_as<typename V::value_type>(p, n);
    }
    template<class M, class V>
    XGRAD_INLINE void store_full(M* p, V x) {
        if constexpr (math::Scalar<V>) *p = std::is_same_v<M, bool> ? static_cast<M>(x != V(0)) : static_cast<M>(x);
        else simd::store_as(p, x);
    }
    template<class V>
    XGRAD_INLINE auto first_lane(V x) {
        if constexpr (math::Scalar<V>) return x;
        else return x[0];
    }
    template<monoid M, class V>
    XGRAD_INLINE V combine(V a, V b) {
        if constexpr (M == monoid::sum) return a + b;
        else return math::select((a >= b) || (a != a), a, b);   // NaN goes through
    }
    template<monoid M, class T>
    constexpr T identity() {
        if constexpr (M == monoid::sum) return T(0);
        else if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::lowest();
    }
    template<monoid M, class V>
    XGRAD_INLINE auto across(V x) {
        if constexpr (math::Scalar<V>) return x;
        else if constexpr (M == monoid::sum) return simd::sum(x);
        else {
            auto r = x[0];
            for (std::size_t i = 1; i < V::size; ++i) r = combine<M>(r, static_cast<typename V::value_type>(x[i]));
            return r;
        }
    }
    template<class T>
    XGRAD_INLINE T random_number(step_arguments const& a, int slot, std::int64_t element) {
        random_key key;
        key.seed = a.random->seed;
        key.name_hash = a.names[slot];
        key.step = a.random->step;
        key.worker = a.random->worker;
        return static_cast<T>(uniform01(random_bits(key, static_cast<std::uint64_t>(element))));
    }
    template<class Op, class V, int... A>
    XGRAD_INLINE V apply_op(V const* r) {
        return Op::value(r[A]...);
    }
    template<class I> inline constexpr bool costly = false;
    template<class O, int L, int P, int... A> inline constexpr bool costly<ap<O, L, P, A...>> = op_instance<O>.transcendental;
}

/// Runs the program I... in which register k is the result of instruction k. T: element type it computes in. Inner: static inner extent or -1.
template<class T, long long Inner, int OuterRank, int Phases, class... I>
struct nest {
    using V = typename detail::lanes<T>::type;
    static constexpr std::int64_t W = detail::lanes<T>::width;
    static constexpr int count = sizeof...(I);
    static constexpr int slot_count = [] {
        int n = 0;
        ((n = detail::about<I>::slot + 1 > n ? detail::about<I>::slot + 1 : n), ...);
        return n;
    }();
    static constexpr int all_outer = (1 << OuterRank) - 1;
    template<int Phase>
    static constexpr bool has_elements = ((detail::about<I>::level == 2 && detail::about<I>::phase == Phase) || ...);
    // Sums, exponentials, ... are chains of operations that wait for each other: four batches side by side, each instruction for all of them
    // before the next.
    template<int Phase>
    static constexpr int unroll =
        (((detail::about<I>::reduces || detail::costly<I>) && detail::about<I>::level == 2 && detail::about<I>::phase == Phase) || ...) && (Inner < 0 || Inner >= 4 * W) ? 4 : 1;

    /// A register: the same for the whole row in [0], or one batch for each of the four side by side.
    struct reg {
        V lane[4];
    };
    static constexpr bool by_element[sizeof...(I)] = {(detail::about<I>::level == 2 && !detail::about<I>::reduces)...};
    template<int A, int U>
    static constexpr int part = by_element[A] ? U : 0;

    struct state {
        step_arguments const& a;
        std::byte* at[slot_count > 0 ? slot_count : 1];         // first element of the row
        std::int64_t offset[slot_count > 0 ? slot_count : 1];   // the same in elements, for positions
        std::int64_t index[OuterRank > 0 ? OuterRank : 1];
    };
    // Inner sums of one pass, four of each, and totals over everything.
    struct sums {
        V part[count][4];
        double total[count];
        T largest[count];
    };

    // ---- one element-level instruction on a full batch at element j
    template<int K, int U, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void element(ld<S, M, L, P, N>, reg* r, sums&, state const& s, std::int64_t j) {
        M const* p = reinterpret_cast<M const*>(s.at[S]);
        if constexpr (N == 1) r[K].lane[U] = detail::load_full<V>(p + j);
        else {
            std::int64_t const step = s.a.slots[S].inner;
            if constexpr (W == 1) r[K].lane[U] = static_cast<T>(p[j * step]);
            else {
                T lane[W];
                for (std::int64_t l = 0; l < W; ++l) lane[l] = static_cast<T>(p[(j + l) * step]);
                r[K].lane[U] = simd::load(lane);
            }
        }
    }
    template<int K, int U, int S, int L, int P>
    XGRAD_INLINE static void element(ix<S, L, P>, reg* r, sums&, state const& s, std::int64_t j) {
        std::int64_t const step = s.a.slots[S].inner;
        if constexpr (W == 1) r[K].lane[U] = static_cast<T>(s.offset[S] + j * step);
        else r[K].lane[U] = simd::iota<V>() * V(static_cast<T>(step)) + V(static_cast<T>(s.offset[S] + j * step));
    }
    template<int K, int U, int S, int L, int P>
    XGRAD_INLINE static void element(rn<S, L, P>, reg* r, sums&, state const& s, std::int64_t j) {
        std::int64_t const step = s.a.slots[S].inner, from = s.offset[S] + j * step;
        if constexpr (W == 1) r[K].lane[U] = detail::random_number<T>(s.a, S, from);
        else {
            T lane[W];
            for (std::int64_t l = 0; l < W; ++l) lane[l] = detail::random_number<T>(s.a, S, from + l * step);
            r[K].lane[U] = simd::load(lane);
        }
    }
    template<int K, int U, class O, int L, int P, int... A>
    XGRAD_INLINE static void element(ap<O, L, P, A...>, reg* r, sums&, state const&, std::int64_t) {
        r[K].lane[U] = O::value(r[A].lane[part<A, U>]...);
    }
    template<int K, int U, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void element(rd<M, A, L, P, N, O, S, Memory>, reg* r, sums& q, state const& s, std::int64_t j) {
        if constexpr (N) q.part[K][U] = detail::combine<M>(q.part[K][U], r[A].lane[part<A, U>]);
        else {
            Memory* p = reinterpret_cast<Memory*>(s.at[S]) + j;   // the inner dimension stays: contiguous by construction
            detail::store_full(p, detail::combine<M>(detail::load_full<V>(p), r[A].lane[part<A, U>]));
        }
    }
    template<int K, int U, int A, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void element(st<A, S, M, L, P, N>, reg* r, sums&, state const& s, std::int64_t j) {
        M* p = reinterpret_cast<M*>(s.at[S]);
        if constexpr (N == 1) detail::store_full(p + j, r[A].lane[part<A, U>]);
        else if constexpr (W == 1) detail::store_full(p + j * s.a.slots[S].inner, r[A].lane[part<A, U>]);
        else
            for (std::int64_t l = 0; l < W; ++l) detail::store_full(p + (j + l) * s.a.slots[S].inner, static_cast<T>(r[A].lane[part<A, U>][static_cast<std::size_t>(l)]));
    }
    // ---- the same on the last n < W elements: the batch body on padded lanes
    template<int K, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void rest(ld<S, M, L, P, N>, reg* r, sums&, state const& s, std::int64_t j, std::size_t n) {
        M const* p = reinterpret_cast<M const*>(s.at[S]);
        if constexpr (N == 1) r[K].lane[0] = detail::load_some<V>(p + j, n);
        else {
            T lane[W]{};
            for (std::size_t l = 0; l < n; ++l) lane[l] = static_cast<T>(p[(j + static_cast<std::int64_t>(l)) * s.a.slots[S].inner]);
            r[K].lane[0] = simd::load(lane);
        }
    }
    template<int K, int S, int L, int P>
    XGRAD_INLINE static void rest(rn<S, L, P>, reg* r, sums&, state const& s, std::int64_t j, std::size_t n) {
        T lane[W]{};
        std::int64_t const step = s.a.slots[S].inner;
        for (std::size_t l = 0; l < n; ++l) lane[l] = detail::random_number<T>(s.a, S, s.offset[S] + (j + static_cast<std::int64_t>(l)) * step);
        r[K].lane[0] = simd::load(lane);
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void rest(rd<M, A, L, P, N, O, S, Memory>, reg* r, sums& q, state const& s, std::int64_t j, std::size_t n) {
        if constexpr (N) {
            q.part[K][0] = detail::combine<M>(q.part[K][0], math::select(simd::iota<V>() < V(static_cast<T>(n)), r[A].lane[0], V(detail::identity<M, T>())));
        } else {
            Memory* p = reinterpret_cast<Memory*>(s.at[S]) + j;
            simd::store_partial_as(p, detail::combine<M>(detail::load_some<V>(p, n), r[A].lane[0]), n);
        }
    }
    template<int K, int A, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void rest(st<A, S, M, L, P, N>, reg* r, sums&, state const& s, std::int64_t j, std::size_t n) {
        M* p = reinterpret_cast<M*>(s.at[S]);
        if constexpr (N == 1) simd::store_partial_as(p + j, r[A].lane[0], n);
        else
            for (std::size_t l = 0; l < n; ++l) detail::store_full(p + (j + static_cast<std::int64_t>(l)) * s.a.slots[S].inner, static_cast<T>(r[A].lane[0][l]));
    }
    template<int K, class Other>
    XGRAD_INLINE static void rest(Other i, reg* r, sums& q, state const& s, std::int64_t j, std::size_t) {
        element<K, 0>(i, r, q, s, j);
    }
    // ---- once, or once for each row
    template<int K, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void single(ld<S, M, L, P, N>, reg* r, sums&, state const& s) {
        r[K].lane[0] = V(static_cast<T>(*reinterpret_cast<M const*>(L == 0 ? s.a.slots[S].data : s.at[S])));
    }
    template<int K, int S, int L, int P>
    XGRAD_INLINE static void single(ix<S, L, P>, reg* r, sums&, state const& s) { r[K].lane[0] = V(static_cast<T>(L == 0 ? 0 : s.offset[S])); }
    template<int K, int S, int L, int P>
    XGRAD_INLINE static void single(rn<S, L, P>, reg* r, sums&, state const& s) { r[K].lane[0] = V(detail::random_number<T>(s.a, S, L == 0 ? 0 : s.offset[S])); }
    template<int K, int N>
    XGRAD_INLINE static void single(pa<N>, reg* r, sums&, state const& s) { r[K].lane[0] = V(static_cast<T>(s.a.params[N])); }
    template<int K, class O, int L, int P, int... A>
    XGRAD_INLINE static void single(ap<O, L, P, A...>, reg* r, sums&, state const&) { r[K].lane[0] = O::value(r[A].lane[0]...); }
    template<int K, int A, int S, class M, int L, int P, int N>
    XGRAD_INLINE static void single(st<A, S, M, L, P, N>, reg* r, sums&, state const& s) {
        detail::store_full(reinterpret_cast<M*>(L == 0 ? s.a.slots[S].data : s.at[S]), detail::first_lane(r[A].lane[0]));
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void single(rd<M, A, L, P, N, O, S, Memory>, reg* r, sums& q, state const& s) {
        accumulate<K, M, O, S, Memory>(q, s, detail::first_lane(r[A].lane[0]));
    }

    // A row's share of a reduction over outer dimensions too: totals in double, partial sums where they are kept.
    template<int K, monoid M, int O, int S, class Memory>
    XGRAD_INLINE static void accumulate(sums& q, state const& s, T x) {
        if constexpr (O == all_outer && M == monoid::sum && std::is_floating_point_v<T>) q.total[K] += static_cast<double>(x);
        else {
            Memory* p = reinterpret_cast<Memory*>(s.at[S]);
            *p = detail::combine<M>(*p, static_cast<Memory>(x));
        }
    }
    template<int K, class J>
    XGRAD_INLINE static void begin_sum(J, sums&) {}
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void begin_sum(rd<M, A, L, P, N, O, S, Memory>, sums& q) {
        for (int u = 0; u < 4; ++u) q.part[K][u] = V(detail::identity<M, T>());
    }
    template<int K, int Unroll, class J>
    XGRAD_INLINE static void end_sum(J, V*, sums&, state const&) {}
    template<int K, int Unroll, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void end_sum(rd<M, A, L, P, N, O, S, Memory>, reg* r, sums& q, state const& s) {
        if constexpr (N) {
            V x = q.part[K][0];
            if constexpr (Unroll == 4) x = detail::combine<M>(detail::combine<M>(q.part[K][0], q.part[K][1]), detail::combine<M>(q.part[K][2], q.part[K][3]));
            T const row = detail::across<M>(x);
            if constexpr (O == 0) r[K].lane[0] = V(row);
            else accumulate<K, M, O, S, Memory>(q, s, row);
        }
    }
    // Reductions that are kept in memory start from the identity there.
    template<class J>
    static void prefill(J, step_arguments const&) {}
    template<monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    static void prefill(rd<M, A, L, P, N, O, S, Memory>, step_arguments const& a) {
        if constexpr (O != 0 && !(O == all_outer && (N || L == 1) && M == monoid::sum && std::is_floating_point_v<T>)) {
            std::int64_t index[OuterRank > 0 ? OuterRank : 1]{};
            for (int d = 0; d < OuterRank; ++d)
                if ((O >> d & 1) == 0 && a.extent[d] == 0) return;
            std::int64_t const n = N || L == 1 ? 1 : (Inner >= 0 ? Inner : a.inner);
            while (true) {
                Memory* p = reinterpret_cast<Memory*>(a.slots[S].data);
                for (int d = 0; d < OuterRank; ++d) p += index[d] * a.slots[S].stride[d];
                for (std::int64_t j = 0; j < n; ++j) p[j] = detail::identity<M, Memory>();
                int d = OuterRank - 1;
                for (; d >= 0; --d) {
                    if ((O >> d & 1) != 0) continue;
                    if (++index[d] < a.extent[d]) break;
                    index[d] = 0;
                }
                if (d < 0) break;
            }
        }
    }
    template<int K, class J>
    XGRAD_INLINE static void finish(J, sums&, step_arguments const&) {}
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_INLINE static void finish(rd<M, A, L, P, N, O, S, Memory>, sums& q, step_arguments const& a) {
        if constexpr (O != 0 && O == all_outer && (N || L == 1) && M == monoid::sum && std::is_floating_point_v<T>)
            *reinterpret_cast<Memory*>(a.slots[S].data) = static_cast<Memory>(q.total[K]);
    }

    // ---- selection of instructions by level and phase
    template<int Level, int Phase, int K, class J>
    XGRAD_INLINE static void if_single(J i, reg* r, sums& q, state const& s) {
        if constexpr (detail::about<J>::level == Level && (Level == 0 || detail::about<J>::phase == Phase)) single<K>(i, r, q, s);
    }
    template<int Phase, int U, int K, class J>
    XGRAD_INLINE static void if_element(J i, reg* r, sums& q, state const& s, std::int64_t j) {
        if constexpr (detail::about<J>::level == 2 && detail::about<J>::phase == Phase) element<K, U>(i, r, q, s, j);
    }
    template<int Phase, int K, class J>
    XGRAD_INLINE static void if_rest(J i, reg* r, sums& q, state const& s, std::int64_t j, std::size_t n) {
        if constexpr (detail::about<J>::level == 2 && detail::about<J>::phase == Phase) rest<K>(i, r, q, s, j, n);
    }
    template<int Phase, int U, std::size_t... K>
    XGRAD_INLINE static void elements(reg* r, sums& q, state const& s, std::int64_t j, std::index_sequence<K...>) {
        (if_element<Phase, U, static_cast<int>(K)>(I{}, r, q, s, j), ...);
    }
    template<int Phase, std::size_t... K>
    XGRAD_INLINE static void four_elements(reg* r, sums& q, state const& s, std::int64_t j, std::index_sequence<K...>) {
        ((if_element<Phase, 0, static_cast<int>(K)>(I{}, r, q, s, j), if_element<Phase, 1, static_cast<int>(K)>(I{}, r, q, s, j + W),
          if_element<Phase, 2, static_cast<int>(K)>(I{}, r, q, s, j + 2 * W), if_element<Phase, 3, static_cast<int>(K)>(I{}, r, q, s, j + 3 * W)),
         ...);
    }
    template<int Phase, int Level, int K, class J>
    XGRAD_INLINE static void if_sum_begin(J i, sums& q) {
        if constexpr (detail::about<J>::reduces && detail::about<J>::level == 2 && detail::about<J>::phase == Phase) begin_sum<K>(i, q);
    }
    template<int Phase, int Unroll, int K, class J>
    XGRAD_INLINE static void if_sum_end(J i, reg* r, sums& q, state const& s) {
        if constexpr (detail::about<J>::reduces && detail::about<J>::level == 2 && detail::about<J>::phase == Phase) end_sum<K, Unroll>(i, r, q, s);
    }

    template<int Phase, std::size_t... K>
    XGRAD_INLINE static void pass(reg* r, sums& q, state const& s, std::int64_t n, std::index_sequence<K...> all) {
        (if_single<1, Phase, static_cast<int>(K)>(I{}, r, q, s), ...);
        if constexpr (has_elements<Phase>) {
            constexpr int U = unroll<Phase>;
            (if_sum_begin<Phase, 2, static_cast<int>(K)>(I{}, q), ...);
            std::int64_t j = 0;
            if constexpr (U == 4)
                for (; j + 4 * W <= n; j += 4 * W) four_elements<Phase>(r, q, s, j, all);
            for (; j + W <= n; j += W) elements<Phase, 0>(r, q, s, j, all);
            if constexpr (W > 1 && (Inner < 0 || Inner % W != 0))
                if (j < n) {
                    auto const left = static_cast<std::size_t>(n - j);
                    (if_rest<Phase, static_cast<int>(K)>(I{}, r, q, s, j, left), ...);
                }
            (if_sum_end<Phase, U, static_cast<int>(K)>(I{}, r, q, s), ...);
        }
    }
    template<std::size_t... K, std::size_t... P>
    XGRAD_INLINE static void row(reg* r, sums& q, state const& s, std::int64_t n, std::index_sequence<K...> all, std::index_sequence<P...>) {
        (pass<static_cast<int>(P)>(r, q, s, n, all), ...);
    }
    template<std::size_t... K>
    XGRAD_INLINE static void run_all(step_arguments const& a, std::index_sequence<K...> all) {
        reg r[count];
        sums q;
        for (int k = 0; k < count; ++k) q.total[k] = 0;
        state s{a, {}, {}, {}};
        (prefill(I{}, a), ...);
        (if_single<0, 0, static_cast<int>(K)>(I{}, r, q, s), ...);
        std::int64_t const n = Inner >= 0 ? Inner : a.inner;
        bool empty = false;
        for (int d = 0; d < OuterRank; ++d) empty = empty || a.extent[d] == 0;
        while (!empty) {
            (place<detail::about<I>::slot, element_size<I>()>(s), ...);
            row(r, q, s, n, all, std::make_index_sequence<Phases>{});
            int d = OuterRank - 1;
            for (; d >= 0; --d) {
                if (++s.index[d] < a.extent[d]) break;
                s.index[d] = 0;
            }
            if (d < 0) break;
        }
        (finish<static_cast<int>(K)>(I{}, q, a), ...);
    }
    struct no_memory {};
    template<class J> struct memory_of { using type = no_memory; };
    template<int S, class M, int L, int P, int N> struct memory_of<ld<S, M, L, P, N>> { using type = M; };
    template<int A, int S, class M, int L, int P, int N> struct memory_of<st<A, S, M, L, P, N>> { using type = M; };
    template<monoid C, int A, int L, int P, bool N, int O, int S, class M> struct memory_of<rd<C, A, L, P, N, O, S, M>> { using type = M; };
    template<class J>
    static constexpr std::int64_t element_size() {   // 0 for positions
        using M = typename memory_of<J>::type;
        return std::is_same_v<M, no_memory> ? 0 : static_cast<std::int64_t>(sizeof(M));
    }
    template<int S, std::int64_t Size>
    XGRAD_INLINE static void place(state& s) {
        if constexpr (S >= 0) {
            std::int64_t offset = 0;
            for (int d = 0; d < OuterRank; ++d) offset += s.index[d] * s.a.slots[S].stride[d];
            s.offset[S] = offset;
            if constexpr (Size > 0) s.at[S] = s.a.slots[S].data + offset * Size;
        }
    }

    XGRAD_INLINE static void run(step_arguments const& a) { run_all(a, std::make_index_sequence<sizeof...(I)>{}); }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
