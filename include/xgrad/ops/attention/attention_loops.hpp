// SPDX-License-Identifier: MIT
// Attention of one head on raw memory, forward and backward. Scores exist only for a block of rows and keys.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/attention/attention_tiles.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail::attend {

// Source: T. Dao, FlashAttention-2, 2023. The online softmax is that of Milakov and Gimelshein, 2018.

/// Sizes of one head.
template<class T>
struct sizes {
    std::int64_t rows, keys, width, value_width;
    T factor;   // of the scores

    /// Rows of packed keys: whole panels and whole tiles.
    XGRAD_INLINE static constexpr std::int64_t room(std::int64_t keys) { return keys + panel<T> + tile_rows; }
    static constexpr std::int64_t padded(std::int64_t width) { return rounded_up(width, panel<T>); }
};
/// Elements of scratch memory: a number, and one for each key.
struct memory_need {
    std::int64_t fixed, each_key;
};
template<class T>
constexpr memory_need forward_memory(std::int64_t width, std::int64_t value_width) {
    std::int64_t const of_key = width + sizes<T>::padded(value_width);
    return {sizes<T>::room(0) * of_key + block_rows * (block_keys<T> + sizes<T>::padded(value_width) + 2) + 8 * 64, of_key};
}
template<class T>
constexpr memory_need backward_memory(std::int64_t width, std::int64_t value_width) {
    std::int64_t const w = sizes<T>::padded(width), v = sizes<T>::padded(value_width), of_key = width + value_width + 2 * w + v;
    return {sizes<T>::room(0) * of_key + block_rows * (2 * block_keys<T> + 2 * w + v + 2) + 12 * 64, of_key};
}

/// Keys and values as the products read them.
template<class T>
struct packed_keys {
    T *columns, *values;
    XGRAD_INLINE packed_keys(pieces<T>& memory, sizes<T> const& n) {
        columns = memory.take(n.width * sizes<T>::room(n.keys));
        values = memory.take(sizes<T>::padded(n.value_width) * sizes<T>::room(n.keys));
    }
    void fill(sizes<T> const& n, std::int64_t seen, row_list<T const> k, row_list<T const> v) const {
        pack_transposed(k, seen, n.width, columns);
        pack(v, seen, n.value_width, values, sizes<T>::room(n.keys));
    }
};

/// y, and for each row the largest score and the logarithm of the sum of exp(score − the largest). Without a key that is seen y is 0, and
/// the largest score +∞.
template<class T>
void forward(pieces<T> memory, sizes<T> const& n, packed_keys<T> const& packed, row_list<T const> q, visibility<T> const& seen,
    row_list<T> y, T* log_sums) {
    constexpr T none = -std::numeric_limits<T>::infinity();
    std::int64_t const room = sizes<T>::room(n.keys);
    T* const scores = memory.take(block_rows * block_keys<T>);
    T* const sums = memory.take(block_rows * sizes<T>::padded(n.value_width));
    T* const largest = memory.take(block_rows);
    T* const total = memory.take(block_rows);
    for (std::int64_t i = 0; i < n.rows; i += block_rows) {
        std::int64_t const rows = n.rows - i < block_rows ? n.rows - i : block_rows, keys = seen.seen_by(i + rows - 1);
        std::int64_t const most = keys_at_once<T>(keys, block_keys<T>);
        fill(sums, T(0), block_rows * sizes<T>::padded(n.value_width));
        fill(largest, none, rows);
        fill(total, T(0), rows);
        for (std::int64_t j = 0; j < keys; j += most) {
            std::int64_t const count = keys - j < most ? keys - j : most;
            score_block<T>({q.at(i), q.step}, rows, packed.columns + j * n.width, count, n.width, n.factor, scores, block_keys<T>);
            for (std::int64_t r = 0; r < rows; ++r) {
                T* const s = scores + r * block_keys<T>;
                std::int64_t const whole = seen.apply(s, i + r, j, count);
                T const before = exp_row(s, whole, largest[r], total[r]);
                seen.drops.apply(s, i + r, j, whole);
                fill(s + whole, T(0), count - whole);
                if (j > 0 && before != T(1))
                    for (std::int64_t c = 0; c < n.value_width; c += panel<T>) {
                        T* const p = sums + c * block_rows + r * panel<T>;
                        for (std::int64_t b = 0; b < panel<T>; b += lanes<T>)
                            simd::store(p + b, simd::load(p + b) * simd::batch<T>(before));
                    }
            }
            add_block(sums, block_rows, scores, block_keys<T>, rows, packed.values + j * panel<T>, room, n.value_width, count);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            bool const empty = largest[r] == none && total[r] == T(0);
            unpack_row(sums + r * panel<T>, block_rows, empty ? T(0) : T(1) / total[r], n.value_width, y.at(i + r));
            log_sums[2 * (i + r)] = empty ? -none : largest[r];
            log_sums[2 * (i + r) + 1] = empty ? T(0) : libm::log(total[r]);
        }
    }
}

/// From this number of rows on, copying keys and values for register tiles pays off.
inline constexpr std::int64_t tiles_from_rows = 5;
/// The same for few rows, as when a model writes a text: keys and values are read where they are.
template<class T>
void forward_of_few_rows(pieces<T> memory, sizes<T> const& n, row_list<T const> q, row_list<T const> k, row_list<T const> v,
    visibility<T> const& seen, row_list<T> y, T* log_sums) {
    constexpr T none = -std::numeric_limits<T>::infinity();
    T* const s = memory.take(block_keys<T>);
    for (std::int64_t i = 0; i < n.rows; ++i) {
        std::int64_t const keys = seen.seen_by(i);
        T largest = none, total = 0;
        fill(y.at(i), T(0), n.value_width);
        for (std::int64_t j = 0; j < keys; j += block_keys<T>) {
            std::int64_t const count = keys - j < block_keys<T> ? keys - j : block_keys<T>;
            for (std::int64_t c = 0; c < count; ++c) s[c] = n.factor * dot(q.at(i), k.at(j + c), n.width);
            T const before = exp_row(s, seen.apply(s, i, j, count), largest, total);
            seen.drops.apply(s, i, j, count);
            add_weighted_rows(y.at(i), before, s, row_list<T const>{v.at(j), v.step}, count, n.value_width);
        }
        bool const empty = largest == none && total == T(0);
        scale_row(y.at(i), empty ? T(0) : T(1) / total, n.value_width);
        log_sums[2 * i] = empty ? -none : largest;
        log_sums[2 * i + 1] = empty ? T(0) : libm::log(total);
    }
}

/// The same keys and values, as the products of the gradients read them, and the sums of their gradients.
template<class T>
struct packed_slopes {
    T *columns, *value_columns, *keys, *of_keys, *of_values;
    packed_slopes(pieces<T>& memory, sizes<T> const& n, std::int64_t seen, row_list<T const> k, row_list<T const> v) {
        std::int64_t const room = sizes<T>::room(n.keys), w = sizes<T>::padded(n.width) * room,
                           values = sizes<T>::padded(n.value_width) * room;
        columns = memory.take(n.width * room);
        value_columns = memory.take(n.value_width * room);
        keys = memory.take(w);
        of_keys = memory.take(w);
        of_values = memory.take(values);
        if (seen == 0) return;
        pack_transposed(k, seen, n.width, columns);
        pack_transposed(v, seen, n.value_width, value_columns);
        pack(k, seen, n.width, keys, room);
        fill(of_keys, T(0), w);
        fill(of_values, T(0), values);
    }
    /// Writes the gradients of all keys; those of keys that no row sees are 0.
    void finish(sizes<T> const& n, std::int64_t seen, row_list<T> dk, row_list<T> dv) const {
        std::int64_t const room = sizes<T>::room(n.keys);
        for (std::int64_t j = 0; j < n.keys; ++j) {
            if (j < seen) {
                unpack_row(of_keys + j * panel<T>, room, n.factor, n.width, dk.at(j));
                unpack_row(of_values + j * panel<T>, room, T(1), n.value_width, dv.at(j));
            } else {
                fill(dk.at(j), T(0), n.width);
                fill(dv.at(j), T(0), n.value_width);
            }
        }
    }
};
/// What the backward pass reads and writes for the rows of a head.
template<class T>
struct row_slopes {
    row_list<T const> q, y, g;
    T const* log_sums;
    row_list<T> dq;
    row_list<T> bias;   // its gradient, to which the slopes are added, or none
};
template<class T>
void backward(pieces<T> memory, sizes<T> const& n, packed_slopes<T> const& packed, row_slopes<T> const& of, visibility<T> const& seen) {
    std::int64_t const room = sizes<T>::room(n.keys);
    T* const scores = memory.take(block_rows * block_keys<T>);
    T* const slopes = memory.take(block_rows * block_keys<T>);
    T* const queries = memory.take(block_rows * sizes<T>::padded(n.width));
    T* const sums = memory.take(block_rows * sizes<T>::padded(n.width));
    T* const gradients = memory.take(block_rows * sizes<T>::padded(n.value_width));
    T* const means = memory.take(block_rows);
    for (std::int64_t i = 0; i < n.rows; i += block_rows) {
        std::int64_t const rows = n.rows - i < block_rows ? n.rows - i : block_rows, keys = seen.seen_by(i + rows - 1);
        std::int64_t const most = keys_at_once<T>(keys, block_keys<T>);
        row_list<T const> const q{of.q.at(i), of.q.step}, g{of.g.at(i), of.g.step};
        pack(q, rows, n.width, queries, block_rows);
        pack(g, rows, n.value_width, gradients, block_rows);
        fill(sums, T(0), block_rows * sizes<T>::padded(n.width));
        for (std::int64_t r = 0; r < rows; ++r) means[r] = dot(of.y.at(i + r), g.at(r), n.value_width);
        for (std::int64_t j = 0; j < keys; j += most) {
            std::int64_t const count = keys - j < most ? keys - j : most;
            std::int64_t const tiles = rounded_up(count, tile_rows),
                               end = tiles > rounded_up(count, lanes<T>) ? tiles : rounded_up(count, lanes<T>);
            score_block<T>(q, rows, packed.columns + j * n.width, count, n.width, n.factor, scores, block_keys<T>);
            score_block<T>(g, rows, packed.value_columns + j * n.value_width, count, n.value_width, T(1), slopes, block_keys<T>);
            for (std::int64_t r = 0; r < rows; ++r) {
                T *const s = scores + r * block_keys<T>, *const d = slopes + r * block_keys<T>;
                std::int64_t const whole = seen.apply(s, i + r, j, count);
                seen.drops.apply(d, i + r, j, whole);
                slope_row(s, d, whole, of.log_sums[2 * (i + r)], of.log_sums[2 * (i + r) + 1], means[r]);
                seen.drops.apply(s, i + r, j, whole);
                fill(s + whole, T(0), end - whole);
                fill(d + whole, T(0), end - whole);
                if (of.bias.first != nullptr) {
                    T* const b = of.bias.at(i + r) + j;
                    for (std::int64_t c = 0; c < count; ++c) b[c] += d[c];
                }
            }
            add_transposed_block(
                packed.of_values + j * panel<T>, room, scores, block_keys<T>, count, gradients, block_rows, n.value_width, rows);
            add_transposed_block(packed.of_keys + j * panel<T>, room, slopes, block_keys<T>, count, queries, block_rows, n.width, rows);
            add_block(sums, block_rows, slopes, block_keys<T>, rows, packed.keys + j * panel<T>, room, n.width, count);
        }
        for (std::int64_t r = 0; r < rows; ++r) unpack_row(sums + r * panel<T>, block_rows, n.factor, n.width, of.dq.at(i + r));
    }
}

}   // namespace detail::attend
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
