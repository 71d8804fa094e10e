// SPDX-License-Identifier: MIT
// Batch normalization with moving averages.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/norms.hpp>
#include <xgrad/ops/comparison.hpp>
#include <xgrad/ops/normalization/batch_norm.hpp>
#include <xgrad/ops/shapes/fill.hpp>
#include <xgrad/train/layer_updates.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
/// 1 − m. Of a constant it is computed in double.
template<class M>
constexpr auto rest_of(M const& m) {
    if constexpr (is_literal<M>) return literal<std::bit_cast<std::uint64_t>(1 - M::number)>{};
    else return 1_c - m;
}
template<class M>
consteval bool is_share() {
    if constexpr (is_literal<M>) return M::number >= 0 && M::number <= 1;
    else return value_of<M>.dims.rank == 0;
}
}
namespace nn {
/// The variance that a moving average of batch_norm takes: divided by n, as in Keras, or by n − 1, as in PyTorch and
/// TensorFlow's fused operation.
enum class moving_variance : std::uint8_t { of_batch, of_sample };

/// Batch normalization with the variables "Name/gamma" and "Name/beta" that Parts says, and "Name/moving_mean" and
/// "Name/moving_variance", which are not trainable.
template<fixed_string Name, affine Parts, moving_variance Moving, bool Shared, class X, class M, class E>
struct batch_norm_layer : let<batch_norm_layer<Name, Parts, Moving, Shared, X, M, E>>, detail::channel_variables<Name, X> {
    using own = detail::channel_variables<Name, X>;
    template<fixed_string Part, int Start>
    using state = detail::started_variable<detail::start_at(Start), join_names<Name, Part>(), typename own::element, false, own::features>;
    static constexpr state<"moving_mean", 0> moving_mean{};
    static constexpr state<"moving_variance", 1> moving_variance{};

    static constexpr auto value() {
        using moment = op::channel_moment::attributes;
        constexpr X x{};
        constexpr M momentum{};
        auto const mean = apply<with<op::channel_moment, moment{1, 0}>>(x);
        auto const variance = apply<with<op::channel_moment, moment{2, Moving == nn::moving_variance::of_sample}>>(x);
        auto const trained = [&] {
            if constexpr (Parts == affine::both) return apply<op::batch_norm>(x, own::gamma, own::beta, E{});
            else
                return detail::with_affine<Parts, true, own>(
                    x, detail::standardized_between<op::standardize, 0, value_of<X>.dims.rank - 1>(x, E{}));
        }();
        auto const evaluated = [&] {   // one factor for each channel
            auto const spread = sqrt(moving_variance + E{});
            auto const scaled = (x - moving_mean) * [&] {
                if constexpr (detail::has_scale(Parts)) return own::gamma / spread;
                else return 1_c / spread;
            }();
            if constexpr (detail::has_offset(Parts)) return scaled + own::beta;
            else return scaled;
        }();
        auto const next = [&](auto const& old, auto const& of_batch) {   // an empty batch moves nothing: its moments are NaN
            auto const moved = old * momentum + of_batch * detail::rest_of(momentum);
            constexpr extent rows = value_of<X>.dims.size() / own::features;
            if constexpr (rows.is_static()) return moved;
            else return select(detail::extent_as<rows, typename own::element>() > 0_c, moved, old);
        };
        auto const moving = [&](auto const& y) {
            return apply<op::in_training>(
                y, evaluated, moving_mean, next(moving_mean, mean), moving_variance, next(moving_variance, variance), x);
        };
        if constexpr (Shared) return moving(trained);
        else return moving(apply<op::of_layer>(x, moving_mean, trained));
    }
};
}
namespace detail {
template<fixed_string Name, nn::affine Parts, nn::moving_variance Moving, bool Shared, class X, class M, class E>
constexpr auto batch_norm_of() {
    constexpr bool share = is_share<M>();
    static_assert(share,
        "xgrad::nn::batch_norm<name>(x, momentum): momentum, the share that moving averages keep, is not a number in [0, 1]; "
        "write 0.99_c; PyTorch's 0.1 is 0.9_c");
    if constexpr (!share || !norm_takes<2, X>()) return refused_layer{};
    else return nn::batch_norm_layer<Name, Parts, Moving, Shared, X, M, E>{};
}
}
namespace nn {

/// Batch normalization (Ioffe, Szegedy 2015) of x [examples, ..., channels] over all axes but the last, with the variables
/// "Name/gamma", which begins at 1, and "Name/beta" at 0. In training it uses mean and variance of the batch. For inference,
/// `eval(y)` uses the moving averages "Name/moving_mean", which begins at 0, and "Name/moving_variance", at 1. A step moves
/// them if it is made with nn::updates:
///
///     constexpr auto y = xg::nn::dense<"out", 10>(xg::relu(xg::nn::batch_norm<"bn">(x)));
///     auto train = xg::minimize(loss, xg::adam{}, xg::nn::updates(loss));
///     xg::function predict{xg::eval(y), train};
///
/// New averages are momentum · old + (1 − momentum) · those of the batch. momentum is 0.99 and epsilon 1e-3 if they are not
/// given, as in Keras, and the variance is divided by n. PyTorch's layer is `batch_norm<"bn", nn::affine::both,
/// nn::moving_variance::of_sample>(x, 0.9_c, 1e-5_c)`. Both numbers may be inputs.
///
/// Without nn::updates, minimize refuses the loss; nn::no_updates(loss) says that the averages stay.
///
/// Names are as for nn::layer_norm. `batch_norm<"bn">(other, nn::shared)` uses the variables too. A step moves the averages by
/// one call after the other, as in Keras. In the body of a loop there is nothing to assign: nn::updates refuses it.
template<fixed_string Name, affine Parts = affine::both, moving_variance Moving = moving_variance::of_batch, Expr X,
    Expr M = decltype(0.99_c), Expr E = detail::usual_epsilon>
constexpr auto batch_norm(X const&, M const& = {}, E const& = {}) {
    return detail::batch_norm_of<Name, Parts, Moving, false, X, M, E>();
}
template<fixed_string Name, affine Parts = affine::both, moving_variance Moving = moving_variance::of_batch, Expr X,
    Expr M = decltype(0.99_c), Expr E = detail::usual_epsilon>
constexpr auto batch_norm(X const&, shared_tag, M const& = {}, E const& = {}) {
    return detail::batch_norm_of<Name, Parts, Moving, true, X, M, E>();
}

// catches batch_norm<"bn">(x, 0.9f)
template<fixed_string Name, affine Parts = affine::both, moving_variance Moving = moving_variance::of_batch, class... A>
    requires(!(detail::is_norm_argument<A> && ...))
constexpr auto batch_norm(A const&...) {
    return detail::refuse_operand<A...>();
}
// catches batch_norm(x)
template<class... A>
constexpr auto batch_norm(A const&...) {
    return detail::refuse_norm_without_name<A...>();
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
