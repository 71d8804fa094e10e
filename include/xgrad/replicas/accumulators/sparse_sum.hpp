// SPDX-License-Identifier: MIT
// Sums of slices: rows by index, with the number of gradients that contained each row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/replicas/accumulators/add_elements.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Rows of `length` elements with their indices and counters, contiguous. Memory only grows.
template<class T>
struct counted_rows {
    std::int64_t count = 0;
    aligned_buffer<std::int64_t> indices;
    aligned_buffer<std::int32_t> counters;   // number of gradients with this row
    aligned_buffer<T> values;

    /// Makes room for `rows` rows. The contents may be lost.
    void reserve(std::int64_t rows, std::int64_t length) {
        auto const n = static_cast<std::size_t>(rows), elements = n * static_cast<std::size_t>(length);
        indices.grow_to(with_reserve(indices.size(), n));
        counters.grow_to(with_reserve(counters.size(), n));
        values.grow_to(with_reserve(values.size(), elements));
    }
    void put(std::int64_t index, std::int32_t counter, T const* row, std::int64_t length) {
        indices[static_cast<std::size_t>(count)] = index;
        counters[static_cast<std::size_t>(count)] = counter;
        if (length > 0) std::memcpy(values.data() + count * length, row, static_cast<std::size_t>(length) * sizeof(T));
        ++count;
    }
    /// Adds to the last row.
    void add(std::int32_t counter, T const* row, std::int64_t length) {
        counters[static_cast<std::size_t>(count - 1)] += counter;
        add_elements(values.data() + (count - 1) * length, row, length);
    }
    T const* row(std::int64_t k, std::int64_t length) const { return values.data() + k * length; }

    /// Divides each row by its counter.
    void divide(std::int64_t length) {
        for (std::int64_t k = 0; k < count; ++k)
            add_all<T>(values.data() + k * length, nullptr, 0, static_cast<T>(counters[static_cast<std::size_t>(k)]), length);
    }

private:
    // The number of rows varies, so buffers grow by at least half.
    static std::size_t with_reserve(std::size_t now, std::size_t n) { return n > now ? std::max(n, now + now / 2) : n; }
};

/// Merges the rows of a and b into `to`. Repeatedly takes the row with the smaller index, or the sum of both if the indices are equal. This
/// is TensorFlow's algorithm, which assumes ascending, unique indices. Otherwise an index may occur several times in the result.
template<class T>
void merge_rows(counted_rows<T> const& a, counted_rows<T> const& b, std::int64_t length, counted_rows<T>& to) {
    to.reserve(a.count + b.count, length);
    to.count = 0;
    std::int64_t i = 0, k = 0;
    auto const from = [&](counted_rows<T> const& rows, std::int64_t& at) {
        auto const n = static_cast<std::size_t>(at);
        to.put(rows.indices[n], rows.counters[n], rows.row(at, length), length);
        ++at;
    };
    while (i < a.count && k < b.count) {
        std::int64_t const left = a.indices[static_cast<std::size_t>(i)], right = b.indices[static_cast<std::size_t>(k)];
        if (left > right) from(b, k);
        else {
            from(a, i);
            if (left < right) continue;
            to.add(b.counters[static_cast<std::size_t>(k)], b.row(k, length), length);
            ++k;
        }
    }
    while (i < a.count) from(a, i);
    while (k < b.count) from(b, k);
}

/// The sum of one worker.
template<class T>
struct sparse_sum {
    counted_rows<T> rows, gradient, merged;
    struct place {
        std::int64_t index, position;
    };
    aligned_buffer<place> order;

    void clear() noexcept { rows.count = 0; }

    /// If it throws, the sum is unchanged.
    template<class Index>
    void add(Index const* indices, T const* values, std::int64_t n, std::int64_t length, bool sort, bool first) {
        counted_rows<T>& g = first ? rows : gradient;
        g.count = 0;
        g.reserve(n, length);
        if (sort) read_sorted(g, indices, values, n, length);
        else
            for (std::int64_t k = 0; k < n; ++k) g.put(static_cast<std::int64_t>(indices[k]), 1, values + k * length, length);
        if (first) return;
        merge(gradient, length);
    }
    /// Adds the rows of another sum.
    void merge(counted_rows<T> const& other, std::int64_t length) {
        merge_rows(rows, other, length, merged);
        std::swap(rows, merged);
    }

private:
    // Sorts by index; rows of one index are summed in their order.
    template<class Index>
    void read_sorted(counted_rows<T>& g, Index const* indices, T const* values, std::int64_t n, std::int64_t length) {
        order.grow_to(static_cast<std::size_t>(n));
        for (std::int64_t k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = {static_cast<std::int64_t>(indices[k]), k};
        std::sort(order.data(), order.data() + n,
            [](place const& a, place const& b) { return a.index != b.index ? a.index < b.index : a.position < b.position; });
        for (std::int64_t k = 0; k < n; ++k) {
            place const& p = order[static_cast<std::size_t>(k)];
            if (g.count > 0 && g.indices[static_cast<std::size_t>(g.count - 1)] == p.index) g.add(0, values + p.position * length, length);
            else g.put(p.index, 1, values + p.position * length, length);
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
