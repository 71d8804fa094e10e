// SPDX-License-Identifier: MIT
// TensorFlow's SparseConditionalAccumulator: averages each row over the gradients that contained it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>
#include <xgrad/replicas/accumulators/sparse_sum.hpp>

XGRAD_NAMESPACE_BEGIN

/// The result of take_grad: row k of the values belongs to row indices()[k] of the variable. Like dense_gradient, a reused object keeps its
/// memory.
template<class T>
class sparse_gradient {
    template<class>
    friend class sparse_conditional_accumulator;
    detail::counted_rows<T> rows_;
    int rank_ = 0;
    std::int64_t dense_shape_[max_rank]{};
    std::int64_t row_length_ = 0;

public:
    using value_type = T;
    std::span<std::int64_t const> indices() const { return {rows_.indices.data(), static_cast<std::size_t>(rows_.count)}; }
    /// indices().size() rows. The extents of a row are those of dense_shape() without the first.
    std::span<T const> values() const { return {rows_.values.data(), static_cast<std::size_t>(rows_.count * row_length_)}; }
    std::span<T const> row(std::int64_t k) const {
        return values().subspan(static_cast<std::size_t>(k * row_length_), static_cast<std::size_t>(row_length_));
    }
    /// The shape of the whole tensor; the first extent is -1 if the accumulator does not know it.
    std::span<std::int64_t const> dense_shape() const { return {dense_shape_, static_cast<std::size_t>(rank_)}; }
};

/// What is known about the shape of the whole tensor; `{}` if nothing.
using dense_shape = partial_shape;

/// Slices as a trainer returns them: indices and values, both arrays (slices_view).
template<class S>
concept HasSlices = requires(S const& s) {
    s.indices.data();
    s.values.data();
};

/// How a sparse accumulator is made.
struct sparse_accumulator_options {
    std::string_view name = "gradient";
    partial_shape shape{};   // of the whole tensor, as far as known beforehand; gradients have at least its rank
    xgrad::reduction reduction = xgrad::reduction::mean;
    /// Number of partial sums, as in accumulator_options. With more than one, indices must be ascending and unique, or sort_and_sum must be
    /// set.
    int workers = 1;
    /// Whether the rows of each gradient are sorted, and rows of one index summed, before the gradient is added. Without it indices are
    /// taken as they are, like in TensorFlow. If a gradient's indices are then not ascending and unique, the result may contain an index
    /// several times, each divided by the counter of its part.
    bool sort_and_sum = false;
};

/// Accumulates sparse gradients of float or double. Otherwise like conditional_accumulator and tf.compat.v1.SparseConditionalAccumulator.
/// The mean of a row is over the gradients that contain this row.
template<class T>
class sparse_conditional_accumulator : public detail::accumulator_protocol<detail::sparse_sum<T>> {
    static_assert(std::is_floating_point_v<T> && sizeof(T) <= 8,
        "xgrad: sparse_conditional_accumulator<T>: T is neither float nor double, the types of gradients; write "
        "sparse_conditional_accumulator<float>");
    using base = detail::accumulator_protocol<detail::sparse_sum<T>>;
    using round = typename base::round;

    partial_shape shape_;
    reduction reduction_;
    bool sort_and_sum_;

    static std::int64_t length_of(std::int64_t const* extents, int rank) {
        std::int64_t n = 1;
        for (int d = 1; d < rank; ++d) n *= extents[d];
        return n;
    }
    template<class Error>
    [[noreturn]] XGRAD_COLD void refuse(std::initializer_list<message_part> what) const {
        message_text text;
        text.add({"xgrad: ", this->name(), ".apply_grad: "});
        text.add(what);
        raise<Error>(text.c_str());
    }
    static std::string text(partial_shape const& s) { return detail::text_of_shape(s); }

    template<class Index>
    void check(array_ref const& indices, array_ref const& values, dense_shape const& given, round& r) const {
        partial_shape const& known = shape_;
        if (!indices.contiguous || !values.contiguous) refuse<binding_error>({"indices or values are not contiguous in memory; copy them"});
        if (indices.rank != 1) refuse<shape_error>({"indices must be a vector, but have rank ", indices.rank});
        if (values.rank < 1) refuse<shape_error>({"values must be rows, but are a number"});
        if (values.rank > max_rank) refuse<shape_error>({"values have rank ", values.rank, "; there are at most ", max_rank, " axes"});
        if (values.extents[0] != indices.extents[0])
            refuse<shape_error>({"there are ", indices.extents[0], " indices and ", values.extents[0], " rows of values"});
        if (given.rank() >= 0) {
            if (given.rank() < known.rank())
                refuse<shape_error>({"shape mismatch: expected at least rank ", known.rank(), ", got the shape ", text(given)});
            for (int d = 0; d < known.rank(); ++d)
                if (known[d] >= 0 && known[d] != given[d])
                    refuse<shape_error>({"shape mismatch: expected ", text(known), ", got the shape ", text(given)});
        }
        if (known.rank() > 0 && known[0] >= 0)
            for (std::int64_t k = 0; k < indices.extents[0]; ++k)
                if (auto const i = static_cast<std::int64_t>(static_cast<Index const*>(indices.data)[k]); i >= known[0])
                    refuse<value_error>(
                        {"shape mismatch: index ", i, " of slice ", k, " is not below ", known[0], ", the first extent of the shape"});
        if (r.accepted > 0) {
            bool same = values.rank == r.rank;
            for (int d = 1; same && d < r.rank; ++d) same = values.extents[d] == r.extents[d];
            if (!same)
                refuse<shape_error>({"shape mismatch: expected values ", detail::text_of_shape(r.extents, r.rank), " as those before, got ",
                    detail::text_of_shape(values.extents, values.rank)});
            return;
        }
        bool fits = values.rank >= known.rank();
        for (int d = 1; fits && d < known.rank(); ++d) fits = known[d] < 0 || known[d] == values.extents[d];
        if (!fits)
            refuse<shape_error>(
                {"shape mismatch: expected rows of ", text(known), ", got values ", detail::text_of_shape(values.extents, values.rank)});
        r.rank = values.rank;
        r.extents[0] = partial_shape::unknown;
        for (int d = 1; d < r.rank; ++d) r.extents[d] = values.extents[d];
    }

public:
    using options_type = sparse_accumulator_options;
    explicit sparse_conditional_accumulator(sparse_accumulator_options const& options = {})
        : base(options.name, options.workers), shape_(options.shape), reduction_(options.reduction), sort_and_sum_(options.sort_and_sum) {}

    /// Adds slices: row k of `values` belongs to row indices[k] of the variable.
    ///
    /// - `indices`: a vector of std::int32_t or std::int64_t. Negative indices are accepted, as in TensorFlow.
    /// - `values`: one axis more than a row.
    /// - `shape`: the shape of the whole tensor, if the caller knows it.
    ///
    /// Returns false for dropped gradients, like conditional_accumulator. Throws shape_error, and value_error for an index beyond the first
    /// extent of the accumulator's shape, cancelled_error after close(); nothing has been changed then.
    template<class Indices, class Values>
        requires(!HasSlices<Indices>)
    bool apply_grad(
        Indices const& indices, Values const& values, std::int64_t local_step = 0, dense_shape const& shape = {}, int worker = 0) {
        using index = std::remove_cv_t<typename detail::element_of<std::remove_cvref_t<Indices>>::type>;
        constexpr bool counts = std::is_same_v<index, std::int32_t> || std::is_same_v<index, std::int64_t>;
        static_assert(counts,
            "xgrad: accumulator.apply_grad(indices, values, local_step): indices are neither std::int32_t nor std::int64_t; "
            "convert them first");
        if constexpr (counts && detail::is_gradient_of<T, Values>()) {
            array_ref const i = detail::refer_to(indices), v = detail::refer_to(values);
            std::int64_t const n = i.extents[0], length = length_of(v.extents, v.rank < max_rank ? v.rank : max_rank);
            return this->apply(
                local_step, worker, [&](round& r) { check<index>(i, v, shape, r); },
                [&](detail::sparse_sum<T>& sum, bool first) {
                    sum.add(static_cast<index const*>(i.data), static_cast<T const*>(v.data), n, length, sort_and_sum_, first);
                });
        } else return false;
    }
    /// Adds slices as a trainer returns them: `sums.apply_grad(train.gradient(table), step)`.
    template<HasSlices Slices>
    bool apply_grad(Slices const& slices, std::int64_t local_step = 0, int worker = 0) {
        return apply_grad(slices.indices, slices.values, local_step, {}, worker);
    }

    /// Like take_grad of conditional_accumulator.
    void take_grad(std::int64_t num_required, sparse_gradient<T>& out, wait_options const& options = {}) {
        auto r = this->take(num_required, options);
        std::int64_t const length = length_of(r->extents, r->rank);
        detail::sparse_sum<T>* first = nullptr;
        this->each_sum(*r, [&](detail::sparse_sum<T>& sum) {
            if (first == nullptr) first = &sum;
            else first->merge(sum.rows, length);
        });
        if (reduction_ == reduction::mean) first->rows.divide(length);
        std::swap(out.rows_, first->rows);
        out.rank_ = r->rank;
        out.row_length_ = length;
        out.dense_shape_[0] = shape_.rank() > 0 ? shape_[0] : partial_shape::unknown;
        for (int d = 1; d < r->rank; ++d) out.dense_shape_[d] = r->extents[d];
        this->give_back(std::move(r));
    }
    sparse_gradient<T> take_grad(std::int64_t num_required, wait_options const& options = {}) {
        sparse_gradient<T> out;
        take_grad(num_required, out, options);
        return out;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
