// SPDX-License-Identifier: MIT
// Roots of unity of transforms whose length the compiler knows, in static memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/fft_passes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail::fft {

/// The longest transform that has tables in static memory.
inline constexpr std::int64_t longest_with_tables = 1 << 14;
/// Tables of a length that the compiler knows. They are filled before main begins, so steps neither compute nor lock. A transform that
/// runs earlier, for another static object, finds them empty and makes its own.
template<class T, std::int64_t N>
struct static_tables {
    T of_transform[static_cast<std::size_t>(transform<T>::tables(N))];
    bool filled;
    static_tables() {
        std::vector<T> work(static_cast<std::size_t>(transform<T>::work(N)));
        transform<T>::fill_tables(N, of_transform, work.data());
        filled = true;
    }
};
template<class T, std::int64_t N>
inline static_tables<T, N> const tables_of{};
/// e^(−2πi k / N) for k < N/2, by which real transforms join two halves.
template<class T, std::int64_t N>
struct static_half_roots {
    T re[static_cast<std::size_t>(N / 2)], im[static_cast<std::size_t>(N / 2)];
    bool filled;
    static_half_roots() {
        roots(1, N, N / 2, planes<T>{re, im});
        filled = true;
    }
};
template<class T, std::int64_t N>
inline static_half_roots<T, N> const half_roots_of{};
template<std::int64_t N>
inline constexpr bool has_tables = N > 0 && N <= longest_with_tables;

/// Transforms of length n, which is N or, for N = 0, not known to the compiler. The memory has transform<T>::memory(n) elements.
template<std::int64_t N, class T>
transform<T> transform_of(std::int64_t n, T* memory) {
    if constexpr (has_tables<N>)
        if (tables_of<T, N>.filled) return transform<T>(N, tables_of<T, N>.of_transform, memory);
    return transform<T>::with_own_tables(n, memory);
}
/// The roots for an even length n, which is N or not known. The memory has n elements, and one more.
template<std::int64_t N, class T>
planes<T const> half_roots(std::int64_t n, T* memory) {
    if constexpr (has_tables<N>)
        if (half_roots_of<T, N>.filled) return {half_roots_of<T, N>.re, half_roots_of<T, N>.im};
    roots(1, n, n / 2, planes<T>{memory, memory + n / 2 + 1});
    return {memory, memory + n / 2 + 1};
}

}   // namespace detail::fft
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
