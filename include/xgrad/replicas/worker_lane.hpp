// SPDX-License-Identifier: MIT
// What one worker has given since the last update.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/replicas/gradient_ref.hpp>
#include <xgrad/replicas/sparse_sum.hpp>

#include <cstring>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The gradients of one update that a worker has given: the last one lies where the worker has computed it, those before are summed here.
struct given_gradient {
    gradient_ref last{};
    aligned_buffer<std::byte> before;
    sparse_sum<float> rows;   // of slices, those of the type of the gradient
    sparse_sum<double> double_rows;

    template<class T>
    sparse_sum<T>& sparse() {
        if constexpr (std::is_same_v<T, float>) return rows;
        else return double_rows;
    }
};

struct worker_lane {
    std::vector<given_gradient> updates;
    int count = 0;          // gradients, with the last one
    bool pending = false;   // the last one still lies where it was computed

    bool sums_before() const { return count > (pending ? 1 : 0); }
    void clear() {
        count = 0;
        pending = false;
        for (given_gradient& g : updates) {
            g.rows.clear();
            g.double_rows.clear();
        }
    }
};

/// Adds the last gradient to those before: the worker goes on, and will compute another one in its place.
template<class T>
void absorb_dense(given_gradient& g, std::int64_t n, bool first) {
    auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
    if (g.before.size() < bytes) {
        aligned_buffer<std::byte> larger(bytes, aligned_buffer<std::byte>::uninitialized);
        g.before.swap(larger);
    }
    auto* const sum = reinterpret_cast<T*>(g.before.data());
    auto const* const last = static_cast<T const*>(g.last.values);
    if (!first) add_elements(sum, last, n);
    else if (n > 0) std::memcpy(sum, last, bytes);
}
template<class T>
void absorb_rows(given_gradient& g, dtype index_type, std::int64_t length, bool sort, bool first) {
    auto const* const values = static_cast<T const*>(g.last.values);
    if (index_type == dtype::int32)
        g.sparse<T>().add(static_cast<std::int32_t const*>(g.last.indices), values, g.last.rows, length, sort, first);
    else g.sparse<T>().add(static_cast<std::int64_t const*>(g.last.indices), values, g.last.rows, length, sort, first);
}

}   // namespace detail
XGRAD_NAMESPACE_END
