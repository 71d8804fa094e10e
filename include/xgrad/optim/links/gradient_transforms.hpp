// SPDX-License-Identifier: MIT
// Transforms for chain(...) that center or scale gradients, or remove numbers that are not finite.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// g ← 0 where g is infinite or NaN (optax.zero_nans does this for NaN only).
struct zero_nonfinite {
    static constexpr std::string_view name = "zero_nonfinite";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    static constexpr int flops = 2;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V&, V& grad, V*) {
        grad = detail::where_finite(grad, grad, V(T(0)));
    }
};

/// g ← factor · g (optax.scale). TensorFlow's contrib.training has gradient_multipliers of single variables: use a
/// param_group for them.
/// It has hardly any effect before rules such as adam, whose step does not depend on the scale of the gradient. Change
/// the learning rate there.
struct multiply_gradient {
    static constexpr std::string_view name = "multiply_gradient";
    static constexpr bool is_transform = true, in_front = true, scales_gradients = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    hyper factor{1};
    static constexpr int flops = 1;
    auto hypers() const { return std::array{hyper_info("factor", factor, allow::finite)}; }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(factor(step))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V&, V& grad, V*) {
        grad = grad * V(s.value);
    }
};

/// g ← g − mean of g over its row (gradient centralization). Rows of one element, as in a vector, are not changed.
/// Source: Yong, Huang, Hua, Zhang 2020, arXiv 2004.01461; optax.centralize.
struct centralize_gradient {
    static constexpr std::string_view name = "centralize_gradient";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<slot_info, 0> slots{};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    static constexpr std::array<reduction_info, 2> reductions{reduction_info(per::row, reduction::mean), reduction_info(per::row)};
    static constexpr int flops = 4;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    XGRAD_INLINE static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
        term[1] = V(T(1));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V&, V& grad, V*, V const* reduced) {
        grad = grad - math::where(math::greater(reduced[1], V(T(1))), reduced[0], V(T(0)));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
