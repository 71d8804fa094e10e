// SPDX-License-Identifier: MIT
// Rows by index: gather, sums of bags, and scattering into a dense tensor. An index out of range reads nothing and is reported.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/kernels/arguments.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

template<class Index>
XGRAD_INLINE bool inside(Index i, std::int64_t rows) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(i)) < static_cast<std::uint64_t>(rows);
}

/// Adds n elements of x to y; n may be static.
template<class T, long long N>
XGRAD_INLINE void add_row(T* y, T const* x, std::int64_t n) {
    n = N >= 0 ? N : n;
    for (std::int64_t j = 0; j < n; ++j) y[j] += x[j];
}

/// Slots: table, ids, result. extent[0]: number of ids, extent[2]: rows of the table, inner: row length.
template<class T, class Index, long long Row>
struct gather_rows {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], rows = a.extent[2], length = Row >= 0 ? Row : a.inner, step = a.slots[2].stride[0];
        T const* table = reinterpret_cast<T const*>(a.slots[0].data);
        Index const* ids = reinterpret_cast<Index const*>(a.slots[1].data);
        T* out = reinterpret_cast<T*>(a.slots[2].data);
        for (std::int64_t i = 0; i < n; ++i) {
            if (!inside(ids[i], rows)) {
                *a.bad_index = true;
                return;
            }
            if constexpr (Row == 1) out[i * step] = table[ids[i]];
            else
                std::memcpy(
                    out + i * step, table + static_cast<std::int64_t>(ids[i]) * length, static_cast<std::size_t>(length) * sizeof(T));
        }
    }
};

/// Slots: table, ids, result. extent[0]: bags, extent[1]: ids of a bag, extent[2]: rows of the table, inner: row length.
template<class T, class Index, long long Row>
struct sum_bags {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], bag = a.extent[1], rows = a.extent[2], length = Row >= 0 ? Row : a.inner,
                           step = a.slots[2].stride[0];
        T const* table = reinterpret_cast<T const*>(a.slots[0].data);
        Index const* ids = reinterpret_cast<Index const*>(a.slots[1].data);
        for (std::int64_t i = 0; i < n; ++i) {
            T* out = reinterpret_cast<T*>(a.slots[2].data) + i * step;
            if constexpr (Row == 1) {
                T sum = 0;
                for (std::int64_t k = 0; k < bag; ++k) {
                    Index const id = ids[i * bag + k];
                    if (!inside(id, rows)) {
                        *a.bad_index = true;
                        return;
                    }
                    sum += table[id];
                }
                *out = sum;
            } else {
                for (std::int64_t j = 0; j < length; ++j) out[j] = T(0);
                for (std::int64_t k = 0; k < bag; ++k) {
                    Index const id = ids[i * bag + k];
                    if (!inside(id, rows)) {
                        *a.bad_index = true;
                        return;
                    }
                    add_row<T, Row>(out, table + static_cast<std::int64_t>(id) * length, length);
                }
            }
        }
    }
};

/// Slots: result, ids, values. extent[0]: number of ids, extent[2]: rows of the result, inner: row length. Duplicates are summed in order.
template<class T, class Index, long long Row>
struct scatter_rows {
    static void run(step_arguments const& a) {
        std::int64_t const n = a.extent[0], rows = a.extent[2], length = Row >= 0 ? Row : a.inner, step = a.slots[2].stride[0];
        T* out = reinterpret_cast<T*>(a.slots[0].data);
        Index const* ids = reinterpret_cast<Index const*>(a.slots[1].data);
        T const* values = reinterpret_cast<T const*>(a.slots[2].data);
        for (std::int64_t j = 0; j < rows * length; ++j) out[j] = T(0);
        for (std::int64_t i = 0; i < n; ++i) {
            if (!inside(ids[i], rows)) {
                *a.bad_index = true;
                return;
            }
            add_row<T, Row>(out + static_cast<std::int64_t>(ids[i]) * length, values + i * step, length);
        }
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
