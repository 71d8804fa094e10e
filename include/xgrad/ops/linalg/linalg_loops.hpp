// SPDX-License-Identifier: MIT
// Loops of linear algebra on plain row-major memory: products by register tiles, triangles, LU, Householder reflections, symmetric
// eigenvalues. They allocate nothing.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail::loops {

#if XGRAD_USE_AVX512
inline constexpr std::size_t register_bytes = 64;
inline constexpr int tile_rows = 8;
#elif XGRAD_USE_AVX
inline constexpr std::size_t register_bytes = 32;
inline constexpr int tile_rows = 4;
#else
inline constexpr std::size_t register_bytes = 16;
inline constexpr int tile_rows = 4;
#endif
/// Rows that a factorization treats together.
inline constexpr std::int64_t block_rows = 8;

template<class T, std::size_t Bytes>
struct lanes {
    typedef T type __attribute__((vector_size(Bytes)));
};
template<class T>
struct lanes<T, sizeof(T)> {
    using type = T;
};
template<class T, std::size_t Bytes = register_bytes>
using vec = typename lanes<T, Bytes>::type;
template<class T>
inline constexpr std::int64_t width = static_cast<std::int64_t>(register_bytes / sizeof(T));

template<class V, class T>
XGRAD_INLINE V load(T const* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
template<class V, class T>
XGRAD_INLINE void store(T* p, V v) {
    __builtin_memcpy(p, &v, sizeof v);
}

/// y = y - s x.
template<class T>
XGRAD_INLINE void subtract_scaled(T* y, T s, T const* x, std::int64_t n) {
    using V = vec<T>;
    std::int64_t i = 0;
    for (V const all = s - V{}; i + width<T> <= n; i += width<T>) store(y + i, load<V>(y + i) - all * load<V>(x + i));
    for (; i < n; ++i) y[i] -= s * x[i];
}
/// y = y - s x - t z.
template<class T>
XGRAD_INLINE void subtract_two(T* y, T s, T const* x, T t, T const* z, std::int64_t n) {
    using V = vec<T>;
    std::int64_t i = 0;
    for (V const all = s - V{}, too = t - V{}; i + width<T> <= n; i += width<T>)
        store(y + i, load<V>(y + i) - all * load<V>(x + i) - too * load<V>(z + i));
    for (; i < n; ++i) y[i] = y[i] - s * x[i] - t * z[i];
}
template<class T>
XGRAD_INLINE void scale(T* y, T s, std::int64_t n) {
    using V = vec<T>;
    std::int64_t i = 0;
    for (V const all = s - V{}; i + width<T> <= n; i += width<T>) store(y + i, load<V>(y + i) * all);
    for (; i < n; ++i) y[i] *= s;
}
template<class T>
XGRAD_INLINE void divide(T* y, T s, std::int64_t n) {
    using V = vec<T>;
    std::int64_t i = 0;
    for (V const all = s - V{}; i + width<T> <= n; i += width<T>) store(y + i, load<V>(y + i) / all);
    for (; i < n; ++i) y[i] /= s;
}
template<class T>
XGRAD_INLINE T dot(T const* a, T const* b, std::int64_t n) {
    using V = vec<T>;
    constexpr std::int64_t w = width<T>;
    V sum{}, more{};
    std::int64_t i = 0;
    for (; i + 2 * w <= n; i += 2 * w) {
        sum += load<V>(a + i) * load<V>(b + i);
        more += load<V>(a + i + w) * load<V>(b + i + w);
    }
    if (i + w <= n) {
        sum += load<V>(a + i) * load<V>(b + i);
        i += w;
    }
    sum += more;
    T r = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(w); ++k) r += sum[k];
    for (; i < n; ++i) r += a[i] * b[i];
    return r;
}
template<class T>
void fill(T* p, T value, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = value;
}
template<class T>
void copy(T* to, T const* from, std::int64_t n) {
    if (n > 0) __builtin_memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
}
template<class T>
void fill_identity(T* a, std::int64_t n) {
    fill(a, T(0), n * n);
    for (std::int64_t i = 0; i < n; ++i) a[i * n + i] = T(1);
}
/// The transposed matrix. Blocks stay in the cache.
template<class T>
void transpose(T* to, T const* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 16)
        for (std::int64_t j = 0; j < n; j += 16)
            for (std::int64_t r = i; r < std::min(n, i + 16); ++r)
                for (std::int64_t c = j; c < std::min(n, j + 16); ++c) to[r * n + c] = from[c * n + r];
}
template<class T>
void transpose_in_place(T* a, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 16)
        for (std::int64_t j = i; j < n; j += 16)
            for (std::int64_t r = i; r < std::min(n, i + 16); ++r)
                for (std::int64_t c = std::max(j, r + 1); c < std::min(n, j + 16); ++c) std::swap(a[r * n + c], a[c * n + r]);
}

/// A factor of a product: element (i, k) is at p[i * rows + k * columns].
template<class T>
struct left_factor {
    T const* p;
    std::int64_t rows, columns;
};
template<bool Add, class V, class T>
XGRAD_INLINE void add_to(T* at, V sum) {
    if constexpr (Add) store(at, load<V>(at) + sum);
    else store(at, load<V>(at) - sum);
}
/// Rows x Batches sums over `depth`, added to c or subtracted from it.
template<bool Add, class V, int Rows, int Batches, class T, std::size_t... I, std::size_t... R, std::size_t... C>
XGRAD_INLINE void tile(T* c, std::int64_t step, left_factor<T> a, T const* b, std::int64_t b_step, std::int64_t depth,
    std::index_sequence<I...>, std::index_sequence<R...>, std::index_sequence<C...>) {
    constexpr std::int64_t w = sizeof(V) / sizeof(T);
    V sum[Rows * Batches] = {(static_cast<void>(I), V{})...};
    for (std::int64_t k = 0; k < depth; ++k) {
        V const right[Batches] = {load<V>(b + static_cast<std::int64_t>(C) * w)...};
        V const left[Rows] = {(a.p[static_cast<std::int64_t>(R) * a.rows] - V{})...};
        ((sum[I] += left[I / Batches] * right[I % Batches]), ...);
        a.p += a.columns;
        b += b_step;
    }
    (add_to<Add>(c + static_cast<std::int64_t>(I / Batches) * step + static_cast<std::int64_t>(I % Batches) * w, sum[I]), ...);
}
template<bool Add, class V, int Rows, int Batches, class T>
XGRAD_INLINE std::int64_t rows_of_tiles(
    std::int64_t i, std::int64_t m, T* c, std::int64_t step, left_factor<T> a, T const* b, std::int64_t b_step, std::int64_t depth) {
    for (; i + Rows <= m; i += Rows)
        tile<Add, V, Rows, Batches>(c + i * step, step, left_factor<T>{a.p + i * a.rows, a.rows, a.columns}, b, b_step, depth,
            std::make_index_sequence<static_cast<std::size_t>(Rows * Batches)>{},
            std::make_index_sequence<static_cast<std::size_t>(Rows)>{}, std::make_index_sequence<static_cast<std::size_t>(Batches)>{});
    return i;
}
template<bool Add, std::size_t Bytes, int Batches, class T>
void columns_of_tiles(std::int64_t j, std::int64_t n, T* c, std::int64_t step, left_factor<T> a, T const* b, std::int64_t b_step,
    std::int64_t m, std::int64_t depth) {
    using V = vec<T, Bytes>;
    constexpr std::int64_t w = Batches * static_cast<std::int64_t>(Bytes / sizeof(T));
    for (; j + w <= n; j += w) {
        std::int64_t i = 0;
        if constexpr (tile_rows > 4) i = rows_of_tiles<Add, V, tile_rows, Batches>(i, m, c + j, step, a, b + j, b_step, depth);
        i = rows_of_tiles<Add, V, 4, Batches>(i, m, c + j, step, a, b + j, b_step, depth);
        rows_of_tiles<Add, V, 1, Batches>(i, m, c + j, step, a, b + j, b_step, depth);
    }
    // Narrower registers for the remaining columns.
    if constexpr (Batches > 1) columns_of_tiles<Add, Bytes, 1>(j, n, c, step, a, b, b_step, m, depth);
    else if constexpr (Bytes > sizeof(T)) columns_of_tiles<Add, Bytes / 2, 1>(j, n, c, step, a, b, b_step, m, depth);
}
/// c [m, n] += a b or -= a b, with b [depth, n]. Rows of c are `step` apart, rows of b `b_step`.
template<bool Add, class T>
XGRAD_NOINLINE void add_product(
    T* c, std::int64_t step, left_factor<T> a, T const* b, std::int64_t b_step, std::int64_t m, std::int64_t n, std::int64_t depth) {
    if (m > 0 && depth > 0) columns_of_tiles<Add, register_bytes, 2>(0, n, c, step, a, b, b_step, m, depth);
}

/// x [n, k] becomes the solution of a triangular system. Row i of the triangle needs the rows before it (`forward`), or those after it.
template<class T>
void solve_triangle(left_factor<T> a, bool forward, bool unit, T* x, std::int64_t n, std::int64_t k) {
    auto at = [&](std::int64_t i, std::int64_t j) { return left_factor<T>{a.p + i * a.rows + j * a.columns, a.rows, a.columns}; };
    auto finish = [&](std::int64_t i) {
        if (!unit) divide(x + i * k, *at(i, i).p, k);
    };
    if (k == 1) {   // along the contiguous rows of memory
        for (std::int64_t turn = 0; turn < n; ++turn) {
            std::int64_t const i = forward ? turn : n - 1 - turn, before = forward ? 0 : i + 1, after = forward ? i + 1 : 0;
            if (a.columns == 1) x[i] -= dot(at(i, before).p, x + before, turn);
            finish(i);
            if (a.columns != 1) subtract_scaled(x + after, x[i], at(after, i).p, n - 1 - turn);
        }
        return;
    }
    for (std::int64_t done = 0; done < n; done += block_rows) {
        std::int64_t const rows = std::min(block_rows, n - done), first = forward ? done : n - done - rows;
        std::int64_t const known = forward ? 0 : first + rows;
        add_product<false>(x + first * k, k, at(first, known), x + known * k, k, rows, k, done);
        for (std::int64_t r = 0; r < rows; ++r) {
            std::int64_t const i = forward ? first + r : first + rows - 1 - r, from = forward ? first : i + 1;
            add_product<false>(x + i * k, k, at(i, from), x + from * k, k, 1, k, r);
            finish(i);
        }
    }
}

/// The lower factor of a matrix, of which the lower triangle is read. NaN if the matrix is not positive definite.
template<class T>
void factor_cholesky(T const* a, T* l, std::int64_t n) {
    // Rows of the upper factor are contiguous for the loops, so this one is computed.
    transpose(l, a, n);
    bool positive = true;
    auto finish = [&](std::int64_t k) {
        T* const row = l + k * n + k;
        positive = positive && row[0] > T(0);
        row[0] = libm::sqrt(row[0]);
        scale(row + 1, T(1) / row[0], n - k - 1);
    };
    if (n <= 2 * block_rows) {   // blocks are slower
        for (std::int64_t k = 0; k < n; ++k) {
            finish(k);
            // Whole registers: elements below the diagonal are not read.
            for (std::int64_t i = k + 1; i < n; ++i) {
                std::int64_t const from = i / width<T> * width<T>;
                subtract_scaled(l + i * n + from, l[k * n + i], l + k * n + from, n - from);
            }
        }
    } else {
        for (std::int64_t first = 0; first < n; first += block_rows) {
            std::int64_t const rows = std::min(block_rows, n - first);
            add_product<false>(l + first * n + first, n, {l + first, 1, n}, l + first, n, rows, n - first, first);
            for (std::int64_t k = first; k < first + rows; ++k) {
                add_product<false>(l + k * n + k, n, {l + first * n + k, 1, n}, l + first * n + k, n, 1, n - k, k - first);
                finish(k);
            }
        }
    }
    transpose_in_place(l, n);
    for (std::int64_t i = 0; i < n; ++i) {
        if (!positive) fill(l + i * n, std::numeric_limits<T>::quiet_NaN(), i + 1);
        fill(l + i * n + i + 1, T(0), n - i - 1);
    }
}

/// a becomes L (without its diagonal of ones) and U; step k has exchanged rows k and pivots[k]. A column of zeros stays as it is.
template<class T>
void factor_lu(T* a, std::int32_t* pivots, std::int64_t n) {
    for (std::int64_t first = 0; first < n; first += block_rows) {
        std::int64_t const rows = std::min(block_rows, n - first), last = first + rows;
        add_product<false>(a + first * n + first, n, {a + first * n, n, 1}, a + first, n, n - first, rows, first);
        for (std::int64_t k = first; k < last; ++k) {
            std::int64_t pivot = k;
            for (std::int64_t i = k + 1; i < n; ++i)
                if (libm::abs(a[i * n + k]) > libm::abs(a[pivot * n + k])) pivot = i;
            pivots[k] = static_cast<std::int32_t>(pivot);
            if (pivot != k) std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
            T const d = a[k * n + k];
            for (std::int64_t i = k + 1; i < n; ++i) {
                T& factor = a[i * n + k];
                if (d != T(0)) factor /= d;
                subtract_scaled(a + i * n + k + 1, factor, a + k * n + k + 1, last - k - 1);
            }
        }
        add_product<false>(a + first * n + last, n, {a + first * n, n, 1}, a + last, n, rows, n - last, first);
        for (std::int64_t i = first + 1; i < last; ++i)
            add_product<false>(a + i * n + last, n, {a + i * n + first, n, 1}, a + first * n + last, n, 1, n - last, i - first);
    }
}
/// x [n, k] becomes the solution for the matrix that was factored, or for its transposed matrix.
template<class T>
void solve_lu(T const* lu, std::int32_t const* pivots, bool transposed, T* x, std::int64_t n, std::int64_t k) {
    auto exchange = [&](std::int64_t i) {
        if (pivots[i] != i) std::swap_ranges(x + i * k, x + (i + 1) * k, x + pivots[i] * k);
    };
    if (transposed) {
        solve_triangle<T>({lu, 1, n}, true, false, x, n, k);
        solve_triangle<T>({lu, 1, n}, false, true, x, n, k);
        for (std::int64_t i = n; i-- > 0;) exchange(i);
    } else {
        for (std::int64_t i = 0; i < n; ++i) exchange(i);
        solve_triangle<T>({lu, n, 1}, true, true, x, n, k);
        solve_triangle<T>({lu, n, 1}, false, false, x, n, k);
    }
}

}   // namespace detail::loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
