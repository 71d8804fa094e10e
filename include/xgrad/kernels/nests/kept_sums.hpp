// SPDX-License-Identifier: MIT
// Reductions that loops keep in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>
#include <xgrad/kernels/long_sums.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// Calls f(address in operand s) for each combination of the outer dimensions that are not reduced, in order.
template<class Memory, int OuterRank, int Reduced, class F>
XGRAD_KERNEL void for_kept_places(step_arguments const& a, operand_argument const& s, F const& f) {
    std::int64_t index[OuterRank > 0 ? OuterRank : 1]{};
    for (int d = 0; d < OuterRank; ++d)
        if ((Reduced >> d & 1) == 0 && a.extent[d] == 0) return;
    while (true) {
        Memory* p = reinterpret_cast<Memory*>(s.data);
        for (int d = 0; d < OuterRank; ++d) p += index[d] * s.stride[d];
        f(p);
        int d = OuterRank - 1;
        for (; d >= 0; --d) {
            if ((Reduced >> d & 1) != 0) continue;
            if (++index[d] < a.extent[d]) break;
            index[d] = 0;
        }
        if (d < 0) break;
    }
}
/// Sets operand s to the identity of the reduction: n elements for each combination of the outer dimensions that are not reduced.
template<monoid M, class Memory, int OuterRank, int Reduced>
inline void begin_kept(step_arguments const& a, operand_argument const& s, std::int64_t n) {
    for_kept_places<Memory, OuterRank, Reduced>(a, s, [&](Memory* p) {
        for (std::int64_t j = 0; j < n; ++j) p[j] = identity<M, Memory>();
    });
}

/// Whether a loop that computes in T keeps a reduction over outer dimensions in scratch memory:
/// - 0: no;
/// - 1: a row of sums;
/// - 2: single numbers.
///
/// All: the mask of all outer dimensions. A single number that is summed over all of them stays in a register.
/// The letters of rd are its parameters in instructions.hpp: A, Level, Phase, Inner, Outer, Operand, Memory.
template<class I, class T, int All, bool ByColumns>
inline constexpr int long_kept = 0;
template<int A, int L, int P, bool N, int O, int S, class M, class T, int All>
    requires(sums_in_double<T> && O != 0)
inline constexpr int long_kept<rd<monoid::sum, A, L, P, N, O, S, M>, T, All, false> = !N && L == 2 ? 1
                                                                                      : O == All   ? 0
                                                                                                   : 2;

/// Long sums of a loop in scratch memory, one for each combination of the outer dimensions that are not reduced.
/// - A row of n elements: n doubles, then n floats whose values are moved to the doubles from time to time.
/// - A single number: one double.
///
/// J: a reduction that is kept in scratch memory (how<J>: 1 a row, 2 a number). K: its index.
template<class T, int OuterRank, bool ByColumns, int Count>
struct kept_sums {
    static constexpr int room = sums_in_double<T> ? Count : 1;
    template<class J>
    static constexpr int how = long_kept<J, T, (1 << OuterRank) - 1, ByColumns>;
    double* totals[room];
    T* parts[room];
    std::byte* at[room];   // where the current row adds

    template<class J>
    static std::size_t bytes(step_arguments const& a, std::int64_t n) {
        auto const numbers = static_cast<std::size_t>(length(a, outer_of<J>, 0) * (how<J> == 2 ? 1 : n));
        return (numbers * (sizeof(double) + (how<J> == 2 ? 0 : sizeof(T))) + 63) / 64 * 64;
    }
    /// Returns the rest of the memory.
    template<int K, class J>
    XGRAD_KERNEL std::byte* begin(step_arguments const& a, std::byte* memory, std::int64_t n) {
        std::int64_t const all = length(a, outer_of<J>, 0) * (how<J> == 2 ? 1 : n);
        totals[K] = reinterpret_cast<double*>(memory);
        parts[K] = reinterpret_cast<T*>(totals[K] + all);
        for (std::int64_t i = 0; i < all; ++i)
            if constexpr (how<J> == 2) totals[K][i] = 0;
            else parts[K][i] = T(0);
        return memory + bytes<J>(a, n);
    }
    template<int K, class J>
    XGRAD_KERNEL void begin_row(step_arguments const& a, std::int64_t const* index, std::int64_t n) {
        if constexpr (how<J> == 1) at[K] = reinterpret_cast<std::byte*>(parts[K] + number(a, index, outer_of<J>, 0) * n);
        else at[K] = reinterpret_cast<std::byte*>(totals[K] + number(a, index, outer_of<J>, 0));
    }
    template<int K, class J>
    XGRAD_KERNEL void end_row(step_arguments const& a, std::int64_t const* index, std::int64_t n) const {
        if constexpr (how<J> == 1)
            if (std::int64_t const term = number(a, index, outer_of<J>, 1); term % terms_in_float == terms_in_float - 1) {
                std::int64_t const from = number(a, index, outer_of<J>, 0) * n;
                add_to_doubles(parts[K] + from, totals[K] + from, n, term < terms_in_float);
                for (std::int64_t j = from; j < from + n; ++j) parts[K][j] = T(0);
            }
    }
    template<int K, monoid M, int A, int L, int P, bool N, int O, int S, class Memory>
    XGRAD_KERNEL void finish(rd<M, A, L, P, N, O, S, Memory> r, step_arguments const& a, std::int64_t n) const {
        constexpr bool row = how<decltype(r)> == 1;
        bool const moved = !row || length(a, O, 1) >= terms_in_float;
        std::int64_t from = 0;
        for_kept_places<Memory, OuterRank, O>(a, a.operands[S], [&](Memory* p) {
            for (std::int64_t j = 0; j < (row ? n : 1); ++j, ++from)
                p[j] = static_cast<Memory>(static_cast<T>((moved ? totals[K][from] : 0) + (row ? static_cast<double>(parts[K][from]) : 0)));
        });
    }

private:
    // Only the dimensions whose bit in `mask` equals `bit`: their total length, and the position of `index` among them.
    XGRAD_KERNEL static std::int64_t length(step_arguments const& a, int mask, int bit) {
        std::int64_t n = 1;
        for (int d = 0; d < OuterRank; ++d)
            if ((mask >> d & 1) == bit) n *= a.extent[d];
        return n;
    }
    XGRAD_KERNEL static std::int64_t number(step_arguments const& a, std::int64_t const* index, int mask, int bit) {
        std::int64_t n = 0;
        for (int d = 0; d < OuterRank; ++d)
            if ((mask >> d & 1) == bit) n = n * a.extent[d] + index[d];
        return n;
    }
};

// The same for all reductions of a nest that are kept in scratch memory.
template<class Nest, int... K>
std::size_t kept_bytes(step_arguments const& a, std::int64_t n, std::integer_sequence<int, K...>) {
    return (std::size_t{0} + ... + Nest::kept_sums::template bytes<typename Nest::template at<K>>(a, n));
}
template<class Nest, int... K>
XGRAD_KERNEL void begin_kept_sums(
    typename Nest::kept_sums& kept, step_arguments const& a, std::int64_t n, std::integer_sequence<int, K...>) {
    auto* memory = static_cast<std::byte*>(a.scratch);
    ((memory = kept.template begin<K, typename Nest::template at<K>>(a, memory, n)), ...);
}
template<class Nest, int... K>
XGRAD_KERNEL void begin_kept_row(
    typename Nest::kept_sums& kept, typename Nest::state const& s, std::int64_t n, std::integer_sequence<int, K...>) {
    (kept.template begin_row<K, typename Nest::template at<K>>(s.a, s.index, n), ...);
}
template<class Nest, int... K>
XGRAD_KERNEL void end_kept_row(
    typename Nest::kept_sums const& kept, typename Nest::state const& s, std::int64_t n, std::integer_sequence<int, K...>) {
    (kept.template end_row<K, typename Nest::template at<K>>(s.a, s.index, n), ...);
}
template<class Nest, int... K>
XGRAD_KERNEL void finish_kept_sums(
    typename Nest::kept_sums const& kept, step_arguments const& a, std::int64_t n, std::integer_sequence<int, K...>) {
    (kept.template finish<K>(typename Nest::template at<K>{}, a, n), ...);
}

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
