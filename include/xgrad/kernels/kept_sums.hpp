// SPDX-License-Identifier: MIT
// Reductions that loops keep in memory.
#pragma once

#include <xgrad/kernels/instructions.hpp>
#include <xgrad/kernels/long_sums.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// Calls f(first element of operand S) at each place of the outer dimensions that are not reduced, in their order.
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
/// Makes all numbers of operand S the identity: n of them at each such place.
template<monoid M, class Memory, int OuterRank, int Reduced>
inline void begin_kept(step_arguments const& a, operand_argument const& s, std::int64_t n) {
    for_kept_places<Memory, OuterRank, Reduced>(a, s, [&](Memory* p) {
        for (std::int64_t j = 0; j < n; ++j) p[j] = identity<M, Memory>();
    });
}

/// How a loop that computes in T keeps a reduction over outer dimensions in scratch memory: 0 not, 1 rows of sums, 2 single numbers. All: the mask of all
/// outer dimensions, over which a single number is summed in a register.
template<class I, class T, int All, bool ByColumns>
inline constexpr int long_kept = 0;
template<int A, int L, int P, bool N, int O, int S, class M, class T, int All>
    requires(sums_in_double<T> && O != 0)
inline constexpr int long_kept<rd<monoid::sum, A, L, P, N, O, S, M>, T, All, false> = !N && L == 2 ? 1
                                                                                      : O == All   ? 0
                                                                                                   : 2;

/// Long sums of a loop in scratch memory, of each at all places of the outer dimensions that are not reduced: of a row of n elements doubles and then
/// floats, which the doubles take over; of a single number a double.
template<class T, int OuterRank, bool ByColumns, class... I>
struct kept_sums {
    static constexpr int count = sizeof...(I), room = sums_in_double<T> ? count : 1;
    template<class J>
    static constexpr int how = long_kept<J, T, (1 << OuterRank) - 1, ByColumns>;
    static constexpr bool any = ((how<I> != 0) || ...);
    double* totals[room];
    T* parts[room];
    std::byte* at[room];   // where a row adds

    static std::size_t bytes(step_arguments const& a, std::int64_t n) { return (bytes_of<I>(a, n) + ... + std::size_t{0}); }
    XGRAD_KERNEL void begin(step_arguments const& a, std::int64_t n) {
        auto* memory = static_cast<std::byte*>(a.scratch);
        int k = 0;
        ((begin_one<I>(k, a, memory, n), memory += bytes_of<I>(a, n), ++k), ...);
    }
    XGRAD_KERNEL void begin_row(step_arguments const& a, std::int64_t const* index, std::int64_t n) {
        int k = 0;
        ((place_one<I>(k++, a, index, n)), ...);
    }
    XGRAD_KERNEL void end_row(step_arguments const& a, std::int64_t const* index, std::int64_t n) const {
        int k = 0;
        ((end_one<I>(k++, a, index, n)), ...);
    }
    XGRAD_KERNEL void finish(step_arguments const& a, std::int64_t n) const {
        int k = 0;
        ((finish_one(I{}, k++, a, n)), ...);
    }

private:
    template<bool Reduced, class J>
    static std::int64_t length(step_arguments const& a) {
        std::int64_t n = 1;
        for (int d = 0; d < OuterRank; ++d)
            if ((outer_of<J> >> d & 1) == (Reduced ? 1 : 0)) n *= a.extent[d];
        return n;
    }
    template<bool Reduced, class J>
    XGRAD_KERNEL static std::int64_t number(step_arguments const& a, std::int64_t const* index) {
        std::int64_t n = 0;
        for (int d = 0; d < OuterRank; ++d)
            if ((outer_of<J> >> d & 1) == (Reduced ? 1 : 0)) n = n * a.extent[d] + index[d];
        return n;
    }
    template<class J>
    static std::size_t bytes_of(step_arguments const& a, std::int64_t n) {
        if constexpr (how<J> == 0) return 0;
        else if constexpr (how<J> == 2) return (static_cast<std::size_t>(length<false, J>(a)) * sizeof(double) + 63) / 64 * 64;
        else return (static_cast<std::size_t>(length<false, J>(a) * n) * (sizeof(double) + sizeof(T)) + 63) / 64 * 64;
    }
    template<class J>
    XGRAD_KERNEL void begin_one(int k, step_arguments const& a, std::byte* memory, std::int64_t n) {
        if constexpr (how<J> == 0) return;
        std::int64_t const all = length<false, J>(a) * (how<J> == 2 ? 1 : n);
        totals[k] = reinterpret_cast<double*>(memory);
        parts[k] = reinterpret_cast<T*>(totals[k] + all);
        if constexpr (how<J> == 2) std::fill_n(totals[k], all, 0.0);
        else std::fill_n(parts[k], all, T(0));
    }
    template<class J>
    XGRAD_KERNEL void place_one(int k, step_arguments const& a, std::int64_t const* index, std::int64_t n) {
        if constexpr (how<J> == 1) at[k] = reinterpret_cast<std::byte*>(parts[k] + number<false, J>(a, index) * n);
        else if constexpr (how<J> == 2) at[k] = reinterpret_cast<std::byte*>(totals[k] + number<false, J>(a, index));
    }
    template<class J>
    XGRAD_KERNEL void end_one(int k, step_arguments const& a, std::int64_t const* index, std::int64_t n) const {
        if constexpr (how<J> == 1)
            if (std::int64_t const term = number<true, J>(a, index); term % terms_in_float == terms_in_float - 1) {
                std::int64_t const from = number<false, J>(a, index) * n;
                add_to_doubles(parts[k] + from, totals[k] + from, n, term < terms_in_float);
                std::fill_n(parts[k] + from, n, T(0));
            }
    }
    template<class J>
    XGRAD_KERNEL void finish_one(J, int, step_arguments const&, std::int64_t) const {}
    template<int A, int L, int P, bool N, int O, int S, class M>
        requires(how<rd<monoid::sum, A, L, P, N, O, S, M>> != 0)
    XGRAD_KERNEL void finish_one(rd<monoid::sum, A, L, P, N, O, S, M> r, int k, step_arguments const& a, std::int64_t n) const {
        constexpr bool row = how<decltype(r)> == 1;
        bool const moved = !row || length<true, decltype(r)>(a) >= terms_in_float;
        std::int64_t from = 0;
        for_kept_places<M, OuterRank, O>(a, a.operands[S], [&](M* p) {
            for (std::int64_t j = 0; j < (row ? n : 1); ++j, ++from)
                p[j] = static_cast<M>(static_cast<T>((moved ? totals[k][from] : 0) + (row ? static_cast<double>(parts[k][from]) : 0)));
        });
    }
};

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
