// SPDX-License-Identifier: MIT
// The norm of several gradients (dense or sparse), gradients clipped by it, and expressions clipped by their own norm.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Checks that all arguments are gradients, that at least one exists, and that all existing ones have one floating type.
enum class clipped_state : unsigned char { good, silent, no_gradient, none, types };
template<class G>
constexpr auto clipped_values(G const& g) {   // the values that count for the norm
    if constexpr (NoGradient<G>) return std::tuple<>();
    else if constexpr (SparseGradient<G>) return std::tuple(g.values);
    else return std::tuple(g);
}
template<class... G>
constexpr clipped_state may_be_clipped(std::tuple<G...> const*) {
    if constexpr (!((Expr<G> || SparseGradient<G> || NoGradient<G>)&&...)) return clipped_state::no_gradient;
    else
        return []<class... V>(std::tuple<V...>) {
            if constexpr (sizeof...(V) == 0) return clipped_state::none;
            else {
                constexpr value_info all[]{value_of<V>...};
                for (value_info const& v : all)
                    if (v.wrong != fault::none) return clipped_state::silent;
                for (value_info const& v : all)
                    if (!is_floating(v.type) || v.type != all[0].type) return clipped_state::types;
                return clipped_state::good;
            }
        }(std::tuple_cat(clipped_values(G{})...));
}
constexpr clipped_state may_be_clipped(void const*) { return clipped_state::no_gradient; }
// Named blocks. The norm contains all gradients and occurs three times in the factor, which occurs in all clipped gradients.
template<class Gradients>
struct norm_of_all : let<norm_of_all<Gradients>> {
    static constexpr auto value() {
        return []<class... G>(std::tuple<G...> const*) {
            return []<class... V>(std::tuple<V...>) { return sqrt((sum(square(V{})) + ...)); }(std::tuple_cat(clipped_values(G{})...));
        }(static_cast<Gradients const*>(nullptr));
    }
};
template<class Gradients, class ClipNorm>
struct clip_factor : let<clip_factor<Gradients, ClipNorm>> {
    static constexpr auto value() {
        using namespace literals;
        constexpr norm_of_all<Gradients> norm;
        return ClipNorm{} * minimum(1_c / norm, 1_c / ClipNorm{}) + (norm - norm);
    }
};
template<class G, class Factor>
constexpr auto scaled_gradient(G const& g, Factor const& factor) {
    if constexpr (NoGradient<G>) return g;
    else if constexpr (SparseGradient<G>) return indexed_slices{g.values * factor, g.indices, g.dense * factor};
    else return g * factor;
}
}   // namespace detail

namespace detail {
/// The norm of X along axes, as a named block.
template<class X, int... Axes>
struct norm_along : let<norm_along<X, Axes...>> {
    static constexpr auto value() { return norm<Axes...>(X{}, keep_dims); }
};
template<class ClipNorm>
consteval bool is_clip_norm() {
    if constexpr (is_literal<ClipNorm>) return ClipNorm::number > 0;
    else if constexpr (Expr<ClipNorm>) return value_of<ClipNorm>.wrong != fault::none || value_of<ClipNorm>.dims.rank == 0;
    else return false;
}
}   // namespace detail

/// x · clip_norm / max(‖x‖, clip_norm): TensorFlow's clip_by_norm. Has the shape of x. The gradient at 0 is 1.
/// The norm is over all elements, or over the given axes: `clip_by_norm<1>(x, 5_c)` clips each row of a matrix.
/// clip_norm is a scalar expression.
template<int... Axes, class X, class ClipNorm>
    requires(Expr<X>)
constexpr auto clip_by_norm(X const& x, ClipNorm const& clip_norm) {
    static_assert(value_of<X>.wrong != fault::none || is_floating(value_of<X>.type),
        "xgrad::clip_by_norm(x, clip_norm): x is neither float nor double; write cast<float>(x)");
    static_assert(detail::is_clip_norm<ClipNorm>(),
        "xgrad::clip_by_norm(x, clip_norm): clip_norm is not one number above 0; write 5_c or input<\"clip_norm\", float>");
    if constexpr (is_floating(value_of<X>.type) && detail::is_clip_norm<ClipNorm>())
        return x * clip_norm / maximum(detail::norm_along<X, Axes...>{}, clip_norm);
    else return detail::refused{};
}

/// `global_norm(compute_gradients(loss, w, b))`: the square root of the sum of squares of all elements of all gradients.
/// The result is a scalar expression of their element type.
/// `gradients` is the result of compute_gradients or gradients, or any std::tuple of expressions, indexed_slices and none.
/// The values of slices are used directly, as in TensorFlow: values of the same row are not added first.
template<class Gradients>
constexpr auto global_norm(Gradients const&) {
    constexpr auto state = detail::may_be_clipped(static_cast<Gradients const*>(nullptr));
    static_assert(state != detail::clipped_state::no_gradient,
        "xgrad::global_norm(gradients): gradients are not a std::tuple of expressions, indexed_slices and none; give the "
        "result of compute_gradients(loss, w)");
    static_assert(state != detail::clipped_state::none,
        "xgrad::global_norm(gradients): all gradients are xgrad::none, so there is no norm; give gradients of variables that "
        "the loss depends on");
    static_assert(state != detail::clipped_state::types,
        "xgrad::global_norm(gradients): the gradients are not all float or all double; write cast<float>(g)");
    if constexpr (state == detail::clipped_state::good) return detail::norm_of_all<Gradients>{};
    else return detail::refused{};
}
/// Scales the gradients so that their global norm is at most `clip_norm`, a scalar expression.
/// Returns a tuple of the same kinds in the same order.
///
///     auto const [dw, dt] = clip_by_global_norm(compute_gradients(loss, w, table), 5_c);
///     auto train = apply_gradients(adam{}, loss, with_variable(dw, w), with_variable(dt, table));
///
/// The factor is TensorFlow's (clip_ops.py): clip_norm · min(1 / norm, 1 / clip_norm), or NaN if the norm is not finite.
template<class Gradients, class ClipNorm>
[[nodiscard("clip_by_global_norm returns the clipped gradients and changes nothing; give them to apply_gradients")]] constexpr auto
clip_by_global_norm(Gradients const& gradients, ClipNorm const&) {
    constexpr auto state = detail::may_be_clipped(static_cast<Gradients const*>(nullptr));
    constexpr bool number = detail::is_clip_norm<ClipNorm>();
    static_assert(state != detail::clipped_state::no_gradient,
        "xgrad::clip_by_global_norm(gradients, clip_norm): gradients are not a std::tuple of expressions, indexed_slices and "
        "none; give the result of compute_gradients(loss, w)");
    static_assert(state != detail::clipped_state::none,
        "xgrad::clip_by_global_norm(gradients, clip_norm): all gradients are xgrad::none, so there is nothing to clip; give "
        "gradients of variables that the loss depends on");
    static_assert(state != detail::clipped_state::types,
        "xgrad::clip_by_global_norm(gradients, clip_norm): the gradients are not all float or all double; write cast<float>(g)");
    static_assert(number, "xgrad::clip_by_global_norm(gradients, clip_norm): clip_norm is not one number above 0; write 5_c or "
                          "input<\"clip_norm\", float>");
    if constexpr (state == detail::clipped_state::good && number) {
        constexpr detail::clip_factor<Gradients, ClipNorm> factor;
        return std::apply([&](auto const&... g) { return std::tuple(detail::scaled_gradient(g, factor)...); }, gradients);
    } else if constexpr (state == detail::clipped_state::no_gradient) return std::tuple<>();
    else return gradients;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
