// SPDX-License-Identifier: MIT
// TensorFlow's ConditionalAccumulator: sums fresh gradients of several workers, and gives their mean to a call that waits for a number of
// them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array_like.hpp>
#include <xgrad/core/rule_state.hpp>
#include <xgrad/replicas/accumulators/accumulator_protocol.hpp>
#include <xgrad/replicas/accumulators/dense_sum.hpp>

#include <span>

XGRAD_NAMESPACE_BEGIN

/// The result of take_grad: a row-major tensor whose shape is known at run time. Reuse the same object for repeated calls: its memory is
/// swapped with that of the accumulator, and nothing is allocated.
template<class T>
class dense_gradient {
    template<class>
    friend class conditional_accumulator;
    int rank_ = 0;
    std::int64_t extents_[max_rank]{};
    std::int64_t size_ = 0;
    aligned_buffer<T> values_;

public:
    using value_type = T;
    std::span<std::int64_t const> shape() const { return {extents_, static_cast<std::size_t>(rank_)}; }
    std::int64_t size() const { return size_; }
    T const* data() const { return values_.data(); }
    T* data() { return values_.data(); }
    T const* begin() const { return data(); }
    T const* end() const { return data() + size_; }
    T const& operator[](std::int64_t i) const { return data()[i]; }
};

namespace detail {
template<class T, class A>
consteval bool is_gradient_of() {
    using element = typename element_of<std::remove_cvref_t<A>>::type;
    if constexpr (!is_array_like<std::remove_cvref_t<A>>()) return false;
    else {
        constexpr bool same = std::is_same_v<std::remove_cv_t<element>, T>;
        static_assert(same,
            "xgrad: accumulator.apply_grad(gradient, local_step): the gradient has another element type than the accumulator; convert it, or make a "
            "conditional_accumulator of its type");
        return same;
    }
}
}   // namespace detail

/// How an accumulator is made: `{.name = "w1", .shape = {784, 128}}`.
struct accumulator_options {
    std::string_view name = "gradient";   // in error messages
    /// The part of the gradients' shape that is known beforehand.
    partial_shape shape{};
    xgrad::reduction reduction = xgrad::reduction::mean;
    /// Number of partial sums. Gradients of different workers are added at the same time; the partial sums are added in the order of the
    /// workers.
    int workers = 1;
};

/// Accumulates dense gradients of float or double. Any thread may call any function at any time, until destruction.
///
/// It works like tf.compat.v1.ConditionalAccumulator:
/// - A gradient older than the global step is dropped.
/// - Takes are served in the order in which they were called.
/// - Each take receives everything that has been added since the last one.
///
/// With one worker gradients are summed in the order of arrival, as in TensorFlow. With several, a take is bitwise reproducible whatever
/// the timing between workers, as long as each worker adds its gradients in a fixed order.
/// Memory: two tensors for each worker that has given a gradient, and one more for each additional take that waits.
template<class T>
class conditional_accumulator : public detail::accumulator_protocol<detail::dense_sum<T>> {
    static_assert(std::is_floating_point_v<T> && sizeof(T) <= 8,
        "xgrad: conditional_accumulator<T>: T is neither float nor double, the types of gradients; write "
        "conditional_accumulator<float>");
    using base = detail::accumulator_protocol<detail::dense_sum<T>>;
    using round = typename base::round;

    partial_shape shape_;
    reduction reduction_;

    void check(array_ref const& g, round& r) const {
        if (!g.contiguous)
            raise_parts<binding_error>({"xgrad: ", this->name(), ".apply_grad: the gradient is not contiguous in memory; copy it"});
        bool const first = r.accepted == 0;
        bool fits = g.rank <= max_rank && shape_.takes(g.extents, g.rank) && (first || g.rank == r.rank);
        for (int d = 0; fits && !first && d < g.rank; ++d) fits = g.extents[d] == r.extents[d];
        if (!fits)
            raise_parts<shape_error>({"xgrad: ", this->name(), ".apply_grad: shape mismatch: expected ",
                first || !shape_.takes(g.extents, g.rank) ? detail::text_of_shape(shape_) : detail::text_of_shape(r.extents, r.rank),
                ", got ", detail::text_of_shape(g.extents, g.rank)});
        if (!first) return;
        r.rank = g.rank;
        for (int d = 0; d < g.rank; ++d) r.extents[d] = g.extents[d];
    }

public:
    using options_type = accumulator_options;
    /// Throws value_error for fewer than one worker.
    explicit conditional_accumulator(accumulator_options const& options = {})
        : base(options.name, options.workers), shape_(options.shape), reduction_(options.reduction) {}

    /// Adds a gradient (any array that an input takes) that was computed when the global step was `local_step`, and returns true. A
    /// gradient older than the current global step is dropped, whatever its shape; then it returns false.
    ///
    /// Throws shape_error if the shape is not that of the accumulator, or of the gradients added since the last take. Throws value_error if
    /// there is no such worker, cancelled_error after close(). Nothing has been changed then. While a take is due, the call waits for the
    /// workers that are still adding to that take.
    template<class A>
    bool apply_grad(A const& gradient, std::int64_t local_step = 0, int worker = 0) {
        if constexpr (detail::is_gradient_of<T, A>()) {
            array_ref const g = detail::refer_to(gradient);
            std::int64_t n = 1;
            for (int d = 0; d < g.rank && d < max_rank; ++d) n *= g.extents[d];
            return this->apply(
                local_step, worker, [&](round& r) { check(g, r); },
                [&](detail::dense_sum<T>& sum, bool first) { sum.add(static_cast<T const*>(g.data), n, first); });
        } else return false;
    }

    /// Waits until `num_required` gradients have been added; earlier takes are served first. Then `out` is the mean (or the sum) of all
    /// gradients added, the accumulator is empty, and the global step is larger by one. Throws value_error for a number below 1,
    /// timeout_error, cancelled_error; nothing has been changed then.
    void take_grad(std::int64_t num_required, dense_gradient<T>& out, wait_options const& options = {}) {
        auto r = this->take(num_required, options);
        detail::dense_sum<T>* first = nullptr;
        T const* others[64];
        int count = 0;
        std::int64_t n = 1;
        for (int d = 0; d < r->rank; ++d) n *= r->extents[d];
        this->each_sum(*r, [&](detail::dense_sum<T>& sum) {
            if (first == nullptr) return void(first = &sum);
            others[count++] = sum.values.data();
            if (count < 64) return;
            detail::add_all(first->values.data(), others, count, T(1), n);
            count = 0;
        });
        detail::add_all(first->values.data(), others, count, reduction_ == reduction::mean ? static_cast<T>(r->added) : T(1), n);
        out.values_.swap(first->values);
        out.rank_ = r->rank;
        out.size_ = n;
        for (int d = 0; d < r->rank; ++d) out.extents_[d] = r->extents[d];
        this->give_back(std::move(r));
    }
    /// The same, into a new tensor.
    dense_gradient<T> take_grad(std::int64_t num_required, wait_options const& options = {}) {
        dense_gradient<T> out;
        take_grad(num_required, out, options);
        return out;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
