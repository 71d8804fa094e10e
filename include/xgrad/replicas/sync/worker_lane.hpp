// SPDX-License-Identifier: MIT
// The gradients that one worker has given since the last update.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/replicas/accumulators/dense_sum.hpp>
#include <xgrad/run/gradient_ref.hpp>
#include <xgrad/replicas/accumulators/sparse_sum.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class T>
struct typed_sums {
    dense_sum<T> dense;
    sparse_sum<T> rows;
};

/// The gradients of one worker for one update. The last one is referred to where the worker has computed it. Earlier ones are summed here,
/// in the type of the update.
struct given_gradient : typed_sums<float>, typed_sums<double> {
    gradient_ref last{};

    template<class T>
    typed_sums<T>& of() {
        return *this;
    }
    template<class T>
    typed_sums<T> const& of() const {
        return *this;
    }
    /// Adds the last gradient, slices with rows of `length` elements, to the sum of earlier ones. Call it before the worker continues and
    /// overwrites the gradient.
    template<class T>
    void keep_rows(dtype index_type, std::int64_t length, bool sort, bool first) {
        auto const add = [&](auto const* indices) {
            of<T>().rows.add(indices, static_cast<T const*>(last.values), last.rows, length, sort, first);
        };
        if (index_type == dtype::int32) add(static_cast<std::int32_t const*>(last.indices));
        else add(static_cast<std::int64_t const*>(last.indices));
    }
    template<class T>
    void keep_dense(std::int64_t n, bool first) {
        of<T>().dense.add(static_cast<T const*>(last.values), n, first);
    }
};

struct worker_lane {
    std::vector<given_gradient> updates;
    int count = 0;          // number of gradients, including the last one
    bool pending = false;   // the last one is still in the memory where it was computed
    bool left = false;      // the worker has ended, and has no memory here

    bool sums_before() const { return count > (pending ? 1 : 0); }
    void clear() {
        count = 0;
        pending = false;
        for (given_gradient& g : updates) {
            g.of<float>().rows.clear();
            g.of<double>().rows.clear();
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
