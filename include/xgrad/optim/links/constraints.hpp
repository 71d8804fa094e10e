// SPDX-License-Identifier: MIT
// Transforms for chain(...) that bound the new values. They come after the rule.
// With indexed slices, a lazy chain bounds the rows that occur. An exact chain bounds all rows, because its rule moves
// all rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/links/clip_gradients.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

/// θ ← min(max(θ, min), max) for each element; NaN stays NaN. `box{.min = 0}` keeps parameters non-negative.
struct box {
    static constexpr std::string_view name = "box";
    static constexpr bool is_transform = true, behind = true, bounds_all_rows = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper min{-std::numeric_limits<double>::infinity()}, max{std::numeric_limits<double>::infinity()};
    static constexpr int flops = 2;
    std::string check() const { return detail::check_bounds("box", min, max); }
    auto hypers() const { return std::array{hyper_info("min", min, allow::any), hyper_info("max", max, allow::any)}; }
    template<class T>
    struct scalars {
        T min, max;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(min(step)), static_cast<T>(max(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V&, V*) {
        param = math::max(V(s.min), math::min(V(s.max), param));
    }
};

/// A bound of norms: max_column_norm, max_row_norm or max_variable_norm.
// Aliases, since a base would take the first number in braces: `max_row_norm{1}`.
template<per Each>
struct norm_bound {
    static constexpr std::string_view name = Each == per::column ? "max_column_norm"
                                             : Each == per::row  ? "max_row_norm"
                                                                 : "max_variable_norm";
    static constexpr bool is_transform = true, behind = true, bounds_all_rows = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper max_norm{Each == per::column ? 2 : 1};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(Each)};
    static constexpr int flops = 6;
    auto hypers() const { return std::array{hyper_info("max_norm", max_norm, allow::positive)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(max_norm(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(one_scalar<T> const&, V param, V, V const*, V* term) {
        term[0] = param * param;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V&, V*, V const* reduced) {
        param = detail::bounded(param, math::sqrt(reduced[0]), V(s.value));
    }
};

/// θ ← θ · max_norm / max(‖θ‖, max_norm), where ‖θ‖ is the norm of a column of the new value, or of a whole vector.
/// The norm is then at most max_norm. This is Keras' MaxNorm with axis 0, without its 1e-7. In a lazy chain the rows
/// that occur are the variable.
using max_column_norm = norm_bound<per::column>;
/// The same for each row, such as the vectors of an embedding (TensorFlow's VariableClippingOptimizer with axis 1).
using max_row_norm = norm_bound<per::row>;
/// The same for a whole variable. TensorFlow's VariableClippingOptimizer with all axes; Keras' MaxNorm with all axes,
/// without its 1e-7.
using max_variable_norm = norm_bound<per::variable>;

/// Changes no value, but makes a chain exact: bounds then see all rows of a table, not only those that occur. The rule
/// still moves only these.
/// `chain(gradient_descent{}, max_column_norm{1}, on_all_rows{})` is TensorFlow's VariableClippingOptimizer with axis 0
/// of a table.
struct on_all_rows {
    static constexpr std::string_view name = "on_all_rows";
    static constexpr bool is_transform = true, behind = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::exact;
    static constexpr int flops = 0;
    auto hypers() const { return std::array<hyper_info, 0>{}; }
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V&, V&, V*) {}
};

namespace detail {
template<per Each>
struct unit_norm {
    static constexpr bool is_transform = true, behind = true, bounds_all_rows = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(Each)};
    static constexpr int flops = 5;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V param, V, V const*, V* term) {
        term[0] = param * param;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V& param, V&, V*, V const* reduced) {
        param = param / (math::sqrt(reduced[0]) + V(T(1e-7)));
    }
};
}   // namespace detail

/// θ ← θ / (‖θ‖ + 1e-7) for each column of the new value, or for a whole vector: its norm becomes 1. Zeros stay zeros
/// (Keras' UnitNorm with axis 0).
struct unit_column_norm : detail::unit_norm<per::column> {
    static constexpr std::string_view name = "unit_column_norm";
};
/// The same for each row (Keras' UnitNorm with axis 1).
struct unit_row_norm : detail::unit_norm<per::row> {
    static constexpr std::string_view name = "unit_row_norm";
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
