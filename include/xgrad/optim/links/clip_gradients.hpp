// SPDX-License-Identifier: MIT
// Transforms for chain(...) that clip gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <cstdio>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// A message if min is greater than max, else an empty text.
inline std::string check_bounds(char const* name, hyper const& min, hyper const& max) {
    if (!min.is_number() || !max.is_number() || min(0) <= max(0)) return {};
    char text[128];
    std::snprintf(text, sizeof text, "%s: min must be at most max, found %g and %g", name, min(0), max(0));
    return text;
}
}   // namespace detail

/// The type of clip_by_value(...).
struct value_clipping {
    static constexpr std::string_view name = "clip_by_value";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper min{-1}, max{1};
    static constexpr int flops = 2;
    std::string check() const { return detail::check_bounds("clip_by_value", min, max); }
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
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*) {
        grad = math::max(V(s.min), math::min(V(s.max), grad));
    }
};
/// g ← max(min(g, max), min) for each element; NaN stays NaN (TensorFlow's clip_by_value).
inline value_clipping clip_by_value(hyper const& min, hyper const& max) { return {min, max}; }

/// The type of clip_by_norm(...).
struct norm_clipping {
    static constexpr std::string_view name = "clip_by_norm";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper max_norm{1};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::variable).of_slices()};
    static constexpr int flops = 6;
    auto hypers() const { return std::array{hyper_info("max_norm", max_norm, allow::positive)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(max_norm(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*, V const* reduced) {
        grad = detail::bounded(grad, math::sqrt(reduced[0]), V(s.value));
    }
};
/// g ← g · max_norm / max(‖g‖, max_norm), where ‖g‖ is the norm of the gradient of one variable (TensorFlow's
/// clip_by_norm).
/// With indexed slices, a row that occurs twice counts twice, as in TensorFlow. If earlier links do more than scale the
/// gradient, the row counts once, with its sum.
inline norm_clipping clip_by_norm(hyper const& max_norm) { return {max_norm}; }

/// The type of clip_by_average_norm(...).
struct average_norm_clipping {
    static constexpr std::string_view name = "clip_by_average_norm";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper max_norm{1};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::variable), reduction_info(per::variable)};
    static constexpr int flops = 7;
    auto hypers() const { return std::array{hyper_info("max_norm", max_norm, allow::positive)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(max_norm(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
        term[1] = V(T(1));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*, V const* reduced) {
        grad = detail::bounded(grad, math::sqrt(reduced[0]), V(s.value) * reduced[1]);
    }
};
/// g ← g · c / max(‖g‖ / n, c), where n is the number of elements of the variable (TensorFlow's clip_by_average_norm).
/// With indexed slices, ‖g‖ is the norm of the rows that occur after duplicates are summed. TensorFlow gets the same,
/// because it makes the slices dense. If the rule is lazy, n counts only these rows.
inline average_norm_clipping clip_by_average_norm(hyper const& max_norm) { return {max_norm}; }

/// The type of clip_by_global_norm(max_norm).
struct global_norm_clipping {
    static constexpr std::string_view name = "clip_by_global_norm";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper max_norm{1};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::optimizer, "squares of gradients").of_slices()};
    static constexpr int flops = 3;
    auto hypers() const { return std::array{hyper_info("max_norm", max_norm, allow::positive)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {T(1)};
    }
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*, double const* reduced) const {
        double const c = max_norm(step), norm = libm::sqrt(reduced[0]);
        if (!__builtin_isfinite(norm)) return {static_cast<T>(norm - norm)};   // NaN
        return {static_cast<T>(norm > c ? c / norm : 1.0)};
    }
    template<class T, class V>
    XGRAD_INLINE static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad * grad;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*) {
        grad = grad * V(s.value);
    }
};
/// g ← g · max_norm / max(n, max_norm), where n is the norm of all gradients (TensorFlow's clip_by_global_norm).
///
/// * n is summed in one more pass over the gradients, before the first update. If several groups clip by a global norm,
///   n is the norm of all of them.
/// * If n is infinite or NaN, all gradients become NaN.
/// * With indexed slices, a row that occurs twice counts twice, as in TensorFlow. If earlier links do more than scale
///   the gradient, the row counts once, with its sum.
inline global_norm_clipping clip_by_global_norm(hyper const& max_norm) { return {max_norm}; }

/// Adaptive gradient clipping: scales the gradient of each unit to a norm of at most clip_factor · max(‖w‖, epsilon). w
/// are the weights of the unit.
/// A unit is a column of a variable. A vector is one unit.
/// Source: Brock, De, Smith, Simonyan 2021, arXiv 2102.06171; optax.adaptive_grad_clip.
struct adaptive_clip {
    static constexpr std::string_view name = "adaptive_clip";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper clip_factor{0.01}, epsilon{1e-3};
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::column), reduction_info(per::column)};
    static constexpr int flops = 12;
    auto hypers() const {
        return std::array{hyper_info("clip_factor", clip_factor, allow::positive), hyper_info("epsilon", epsilon, allow::positive)};
    }
    template<class T>
    struct scalars {
        T factor, epsilon;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(clip_factor(step)), static_cast<T>(epsilon(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V param, V grad, V const*, V* term) {
        term[0] = grad * grad;
        term[1] = param * param;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*, V const* reduced) {
        V const most = V(s.factor) * math::max(math::sqrt(reduced[1]), V(s.epsilon)), norm = math::sqrt(reduced[0]);
        grad = math::where(math::less(norm, most), grad, grad * (most / math::max(norm, V(T(1e-6)))));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
