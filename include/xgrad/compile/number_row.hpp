// SPDX-License-Identifier: MIT
// A value of a small body in registers: one number, or a short row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// N elements of T. Rows of floating numbers are SIMD batches, as in loops. The lanes after the last element hold any numbers.
template<class T, int N>
struct number_row {
    static constexpr int count = N;
    static constexpr std::int64_t bytes = N * static_cast<std::int64_t>(sizeof(T));
    static constexpr bool in_batches = N > 1 && std::is_floating_point_v<T>;
    using part = std::conditional_t<in_batches, simd::batch<T>, T>;
    static constexpr int lanes = in_batches ? static_cast<int>(simd::width<T>) : 1;
    static constexpr int parts = (N + lanes - 1) / lanes, rest = N % lanes;   // rest: elements of the last part, if it is not full
    part at[parts];

    XGRAD_KERNEL void load(std::byte const* memory) {
        T const* const x = reinterpret_cast<T const*>(memory);
        for (int i = 0; i < parts; ++i)
            if constexpr (!in_batches) at[i] = x[i];
            else if (rest != 0 && i == parts - 1) at[i] = simd::load_partial(x + i * lanes, static_cast<std::size_t>(rest));
            else at[i] = simd::load(x + i * lanes);
    }
    XGRAD_KERNEL void store(std::byte* memory) const {
        T* const y = reinterpret_cast<T*>(memory);
        for (int i = 0; i < parts; ++i)
            if constexpr (!in_batches) y[i] = at[i];
            else if (rest != 0 && i == parts - 1) simd::store_partial(y + i * lanes, at[i], static_cast<std::size_t>(rest));
            else simd::store(y + i * lanes, at[i]);
    }
    XGRAD_KERNEL void fill(T x) {
        for (int i = 0; i < parts; ++i) at[i] = part(x);
    }
    XGRAD_KERNEL void add(number_row const& x) {
        for (int i = 0; i < parts; ++i) at[i] = kernels::detail::combine<monoid::sum>(at[i], x.at[i]);
    }
};

/// The same elements in another type. Numbers become true if they are not 0, NaN too.
template<class To, class From, int N>
XGRAD_KERNEL number_row<To, N> converted(number_row<From, N> const& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else {
        using row = number_row<To, N>;
        From from[N + 1];
        To to[N + 1];
        x.store(reinterpret_cast<std::byte*>(from));
        for (int i = 0; i < N; ++i)
            if constexpr (std::is_same_v<To, bool>) to[i] = from[i] != From(0);
            else to[i] = static_cast<To>(from[i]);
        row y;
        y.load(reinterpret_cast<std::byte const*>(to));
        return y;
    }
}
/// All elements combined.
template<monoid M, class T, int N>
XGRAD_KERNEL T reduced(number_row<T, N> const& x) {
    using row = number_row<T, N>;
    auto last = x.at[row::parts - 1];
    if constexpr (row::rest != 0) last = kernels::detail::first_lanes<M>(last, row::rest);
    if constexpr (row::parts == 1) return kernels::detail::across<M>(last);
    else {
        auto y = x.at[0];
        for (int i = 1; i < row::parts - 1; ++i) y = kernels::detail::combine<M>(y, x.at[i]);
        return kernels::detail::across<M>(kernels::detail::combine<M>(y, last));
    }
}
/// Part `i` of an operand of N elements. One element is repeated.
template<int N, class T, int M>
XGRAD_KERNEL auto part_of_operand(number_row<T, M> const& x, int i) {
    using row = number_row<T, N>;
    if constexpr (M == N) return x.at[i];
    else return typename row::part(x.at[0]);
}
/// An element-wise operation. A costly one runs on a batch also for one number, so that it gives what a loop gives.
template<class Op, bool Costly, class T, int N, int... M>
XGRAD_KERNEL number_row<T, N> elementwise_row(number_row<T, M> const&... x) {
    number_row<T, N> y;
    if constexpr (N == 1 && Costly && std::is_floating_point_v<T>) y.at[0] = Op::value(simd::batch<T>(x.at[0])...)[0];
    else
        for (int i = 0; i < number_row<T, N>::parts; ++i)
            y.at[i] = static_cast<typename number_row<T, N>::part>(Op::value(part_of_operand<N>(x, i)...));
    return y;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
