// SPDX-License-Identifier: MIT
// Blocks of attention on raw memory: packed panels, products by register tiles, and the softmax of a row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/products/matmul_pack.hpp>
#include <xgrad/kernels/products/matmul_tile.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/ops/attention/attention_drops.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail::attend {

/// Rows of a register tile, and columns of a panel.
inline constexpr std::int64_t tile_rows = kernels::detail::tile_rows;
template<class T>
inline constexpr std::int64_t lanes = static_cast<std::int64_t>(simd::width<T>);
template<class T>
inline constexpr std::int64_t panel = kernels::detail::tile_batches * lanes<T>;
constexpr std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }
constexpr std::int64_t greatest_divisor(std::int64_t a, std::int64_t b) { return b == 0 ? a : greatest_divisor(b, a % b); }
/// Blocks of keys have whole panels and whole tiles, except for the last one.
template<class T>
inline constexpr std::int64_t unit = panel<T> / greatest_divisor(panel<T>, tile_rows) * tile_rows;
/// Rows and keys of a block: its scores stay in the second cache. An odd number of cache lines in a row uses all sets of the first.
inline constexpr std::int64_t block_rows = 48;
template<class T>
inline constexpr std::int64_t block_keys = (XGRAD_USE_AVX512 ? 1920 : 2112) / static_cast<std::int64_t>(sizeof(T)) / unit<T> * unit<T>;

/// Equal blocks of at most `most` keys.
template<class T>
constexpr std::int64_t keys_at_once(std::int64_t keys, std::int64_t most) {
    std::int64_t const blocks = (keys + most - 1) / most;
    return blocks < 2 ? most : rounded_up((keys + blocks - 1) / blocks, unit<T>);
}

/// Rows of a tensor, at a constant distance.
template<class T>
struct row_list {
    T* first;
    std::int64_t step;
    XGRAD_INLINE T* at(std::int64_t i) const { return first + i * step; }
};
/// Pieces of scratch memory, aligned to 64 bytes.
template<class T>
struct pieces {
    T* next;
    XGRAD_INLINE T* take(std::int64_t n) {
        T* const p = next;
        next += rounded_up(n, static_cast<std::int64_t>(64 / sizeof(T)));
        return p;
    }
};

template<class T>
XGRAD_INLINE void fill(T* p, T value, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = value;
}
/// The rows as panels [columns / panel][room][panel], with zeros after the last column. Rows from `count` on stay as they are.
template<class T>
XGRAD_NOINLINE void pack(row_list<T const> from, std::int64_t count, std::int64_t columns, T* to, std::int64_t room) {
    for (std::int64_t c = 0; c < columns; c += panel<T>, to += room * panel<T>)
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t b = 0; b < panel<T>; b += lanes<T>) {
                std::int64_t const left = columns - c - b;
                T const* const p = from.at(i) + c + b;
                simd::store(to + i * panel<T> + b, left >= lanes<T> ? simd::load(p)
                                                   : left > 0       ? simd::load_partial(p, static_cast<std::size_t>(left))
                                                                    : simd::batch<T>(T(0)));
            }
}
/// The transposed rows as panels [rows / panel][columns][panel]. The last row is repeated.
template<class T>
XGRAD_NOINLINE void pack_transposed(row_list<T const> from, std::int64_t count, std::int64_t columns, T* to) {
    for (std::int64_t i = 0; i < count; i += panel<T>, to += columns * panel<T>)
        for (std::int64_t b = 0; b < panel<T>; b += lanes<T>) {
            std::int64_t const row = i + b < count ? i + b : count - 1, left = count - row;
            kernels::detail::pack_transposed_batch(from.at(row), from.step, columns, left < lanes<T> ? left : lanes<T>, to + b, panel<T>);
        }
}
/// Rows of panels [columns / panel][room][panel], each times its own factor.
template<class T>
XGRAD_INLINE void unpack_row(T const* from, std::int64_t room, T factor, std::int64_t columns, T* to) {
    simd::batch<T> const all(factor);
    for (std::int64_t c = 0; c < columns; c += panel<T>, from += room * panel<T>)
        for (std::int64_t b = 0; b < panel<T> && c + b < columns; b += lanes<T>) {
            simd::batch<T> const x = simd::load(from + b) * all;
            std::int64_t const left = columns - c - b;
            if (left >= lanes<T>) simd::store(to + c + b, x);
            else simd::store_partial(to + c + b, x, static_cast<std::size_t>(left));
        }
}

template<class T, bool Transposed>
using tile = kernels::detail::tile<T, Transposed, static_cast<int>(tile_rows), kernels::detail::tile_batches>;

template<class T, std::size_t... I>
XGRAD_INLINE void store_scores(tile<T, false> const& t, T* to, std::int64_t step, simd::batch<T> factor, std::index_sequence<I...>) {
    constexpr std::size_t batches = kernels::detail::tile_batches;
    (simd::store(
         to + static_cast<std::int64_t>(I / batches) * step + static_cast<std::int64_t>(I % batches) * lanes<T>, t.sums[I] * factor),
        ...);
}
/// A tile of scores: `count` rows times a panel, times the factor. Rows of the tile from `count` on repeat the last one.
template<class T>
XGRAD_NOINLINE void score_tile(
    row_list<T const> a, std::int64_t count, T const* b, std::int64_t depth, T factor, T* to, std::int64_t step) {
    tile<T, false> t;
    constexpr typename tile<T, false>::every every{};
    t.clear(every);
    t.add_some({a.first, a.step}, 0, count, b, panel<T>, depth);
    store_scores<T>(t, to, step, simd::batch<T>(factor), every);
}
/// Adds a product to a tile in memory, [tile_rows][panel].
template<bool Transposed, class T>
XGRAD_NOINLINE void add_tile(T* to, T const* a, std::int64_t step, T const* b, std::int64_t depth) {
    tile<T, Transposed> t;
    constexpr typename tile<T, Transposed>::every every{};
    t.load(to, every);
    t.add({a, step}, 0, b, panel<T>, depth);
    t.keep(to, every);
}
/// The scores of `rows` rows and `keys` keys: a times packed columns, times the factor.
template<class T>
void score_block(
    row_list<T const> a, std::int64_t rows, T const* packed, std::int64_t keys, std::int64_t depth, T factor, T* to, std::int64_t step) {
    for (std::int64_t c = 0; c < keys; c += panel<T>, packed += depth * panel<T>)
        for (std::int64_t r = 0; r < rows; r += tile_rows)
            score_tile<T>({a.at(r), a.step}, rows - r < tile_rows ? rows - r : tile_rows, packed, depth, factor, to + r * step + c, step);
}
/// Adds a [rows, depth] times panels b [columns / panel][b_room][panel] to panels [columns / panel][room][panel].
template<class T>
void add_block(T* to, std::int64_t room, T const* a, std::int64_t step, std::int64_t rows, T const* b, std::int64_t b_room,
    std::int64_t columns, std::int64_t depth) {
    for (std::int64_t c = 0; c < columns; c += panel<T>, to += room * panel<T>, b += b_room * panel<T>)
        for (std::int64_t r = 0; r < rows; r += tile_rows) add_tile<false>(to + r * panel<T>, a + r * step, step, b, depth);
}
/// The same with a transposed: [depth, rows]. The columns of a tile stay in the first cache.
template<class T>
void add_transposed_block(T* to, std::int64_t room, T const* a, std::int64_t step, std::int64_t rows, T const* b, std::int64_t b_room,
    std::int64_t columns, std::int64_t depth) {
    for (std::int64_t r = 0; r < rows; r += tile_rows)
        for (std::int64_t c = 0; c < columns; c += panel<T>)
            add_tile<true>(to + (c * room + r * panel<T>), a + r, step, b + c * b_room, depth);
}

/// What decides which keys a row sees, and what is added to its scores.
template<class T>
struct visibility {
    std::int64_t keys;   // keys from here on are not seen, and not read
    bool causal;         // row i sees the keys before i + 1 + offset
    std::int64_t offset;
    row_list<bool const> mask;   // or none
    row_list<T const> bias;      // or none
    weight_drops<T> drops{};

    XGRAD_INLINE std::int64_t seen_by(std::int64_t row) const {
        if (!causal) return keys;
        std::int64_t const n = row + 1 + offset;
        return n < 0 ? 0 : n < keys ? n : keys;
    }
    /// Changes the scores of the keys from `first` on, at most `count`: adds the bias, and −∞ takes the place of keys that are not
    /// seen. Returns the number of changed scores, whole batches; later ones count as 0.
    XGRAD_INLINE std::int64_t apply(T* s, std::int64_t row, std::int64_t first, std::int64_t count) const {
        constexpr T none = -std::numeric_limits<T>::infinity();
        std::int64_t n = seen_by(row) - first;
        n = n < 0 ? 0 : n < count ? n : count;
        std::int64_t const whole = rounded_up(n, lanes<T>);
        fill(s + n, none, whole - n);
        if (bias.first != nullptr) {
            T const* const b = bias.at(row) + first;
            std::int64_t j = 0;
            for (; j + lanes<T> <= n; j += lanes<T>) simd::store(s + j, simd::load(s + j) + simd::load(b + j));
            for (; j < n; ++j) s[j] += b[j];
        }
        if (mask.first != nullptr) {
            bool const* const m = mask.at(row) + first;
            std::int64_t j = 0;
            for (; j + lanes<T> <= n; j += lanes<T>)
                simd::store(s + j, simd::select(simd::load_as<T>(m + j) > simd::batch<T>(T(0)), simd::load(s + j), simd::batch<T>(none)));
            for (; j < n; ++j) s[j] = m[j] ? s[j] : none;
        }
        return whole;
    }
};

template<class T>
T exp_of(T x) {
    return simd::exp(simd::batch<T>(x))[0];
}
/// e^(score − largest) / total. A score that is computed again may be above the largest one by rounding.
template<class T>
XGRAD_INLINE simd::batch<T> weights_of(simd::batch<T> scores, simd::batch<T> largest, simd::batch<T> log_total) {
    using V = simd::batch<T>;
    return simd::exp(simd::min(V(T(0)), scores - largest) - log_total);   // NaN stays
}
/// Scores become e^(score − largest), where `largest` includes the keys before. Returns the factor of the sums before.
template<class T>
XGRAD_INLINE T exp_row(T* s, std::int64_t n, T& largest, T& sum) {
    using V = simd::batch<T>;
    constexpr T none = -std::numeric_limits<T>::infinity();
    V most(none), more(none);
    std::int64_t j = 0;
    for (; j + 2 * lanes<T> <= n; j += 2 * lanes<T>) {
        most = simd::max(simd::load(s + j), most);
        more = simd::max(simd::load(s + j + lanes<T>), more);
    }
    if (j < n) most = simd::max(simd::load(s + j), most);
    T const before = largest, here = simd::max(simd::max(most, more));
    largest = here > before ? here : before;
    V const shift(largest == none ? T(0) : largest);
    V total(T(0)), others(T(0));
    for (j = 0; j + 2 * lanes<T> <= n; j += 2 * lanes<T>) {
        V const a = simd::exp(simd::load(s + j) - shift), b = simd::exp(simd::load(s + j + lanes<T>) - shift);
        simd::store(s + j, a);
        simd::store(s + j + lanes<T>, b);
        total += a;
        others += b;
    }
    if (j < n) {
        V const a = simd::exp(simd::load(s + j) - shift);
        simd::store(s + j, a);
        total += a;
    }
    T const factor = before == largest ? T(1) : before == none ? T(0) : exp_of(before - largest);
    sum = sum * factor + simd::sum(total + others);
    return factor;
}
/// Scores become weights, and the gradients of weights those of scores.
template<class T>
XGRAD_INLINE void slope_row(T* s, T* slopes, std::int64_t n, T largest, T log_total, T mean) {
    using V = simd::batch<T>;
    V const most(largest), rest(log_total), all(mean);
    for (std::int64_t j = 0; j < n; j += lanes<T>) {
        V const p = weights_of<T>(simd::load(s + j), most, rest);
        simd::store(s + j, p);
        simd::store(slopes + j, p * (simd::load(slopes + j) - all));
    }
}
template<class T>
XGRAD_INLINE T dot(T const* a, T const* b, std::int64_t n) {
    simd::batch<T> sum(T(0));
    std::int64_t j = 0;
    for (; j + lanes<T> <= n; j += lanes<T>) sum = simd::fma(simd::load(a + j), simd::load(b + j), sum);
    if (j < n) {
        std::size_t const rest = static_cast<std::size_t>(n - j);
        sum = simd::fma(simd::load_partial(a + j, rest), simd::load_partial(b + j, rest), sum);
    }
    return simd::sum(sum);
}

template<class T>
XGRAD_INLINE void scale_row(T* y, T factor, std::int64_t n) {
    std::int64_t c = 0;
    for (; c + lanes<T> <= n; c += lanes<T>) simd::store(y + c, simd::load(y + c) * simd::batch<T>(factor));
    for (; c < n; ++c) y[c] *= factor;
}
template<int Batches, class T, std::size_t... B>
XGRAD_INLINE void add_weighted_columns(
    T* y, T factor, T const* weights, row_list<T const> rows, std::int64_t count, std::index_sequence<B...>) {
    simd::batch<T> sums[Batches] = {(simd::load(y + static_cast<std::int64_t>(B) * lanes<T>) * simd::batch<T>(factor))...};
    for (std::int64_t j = 0; j < count; ++j) {
        T const* const row = rows.at(j);
        simd::batch<T> const w(weights[j]);
        ((sums[B] = simd::fma(w, simd::load(row + static_cast<std::int64_t>(B) * lanes<T>), sums[B])), ...);
    }
    (simd::store(y + static_cast<std::int64_t>(B) * lanes<T>, sums[B]), ...);
}
/// y times the factor, plus the rows times their weights.
template<class T>
XGRAD_NOINLINE void add_weighted_rows(T* y, T factor, T const* weights, row_list<T const> rows, std::int64_t count, std::int64_t columns) {
    constexpr int at_once = 8;
    std::int64_t c = 0;
    for (; c + at_once * lanes<T> <= columns; c += at_once * lanes<T>)
        add_weighted_columns<at_once>(y + c, factor, weights, {rows.first + c, rows.step}, count, std::make_index_sequence<at_once>{});
    for (; c + lanes<T> <= columns; c += lanes<T>)
        add_weighted_columns<1>(y + c, factor, weights, {rows.first + c, rows.step}, count, std::make_index_sequence<1>{});
    for (; c < columns; ++c) {
        T sum = y[c] * factor;
        for (std::int64_t j = 0; j < count; ++j) sum += weights[j] * rows.at(j)[c];
        y[c] = sum;
    }
}

}   // namespace detail::attend
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
