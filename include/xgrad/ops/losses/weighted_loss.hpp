// SPDX-License-Identifier: MIT
// From losses of elements or rows to one number: weights of samples and the reductions of TensorFlow 1.x.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

/// How weighted_loss makes one number of weighted losses, as in TensorFlow's tf.losses.Reduction: not at all, or their sum. `mean` divides
/// it by the sum of the weights. The others divide it by the number of losses, or of those whose weight is not 0.
enum class loss_reduction : unsigned char { none, sum, mean, sum_over_batch_size, sum_by_nonzero_weights };

namespace detail {
template<class L, class W>
constexpr bool weights_fit() {
    if constexpr (!Expr<L> || !Expr<W>) return true;   // the caller refuses it
    else {
        value_info const &x = value_of<L>, &w = value_of<W>;
        if (x.wrong != fault::none || w.wrong != fault::none || w.dims.rank == 0) return true;
        if (w.dims.rank != x.dims.rank) return false;
        for (int i = 0; i < x.dims.rank; ++i)
            if (!is_one(w.dims.extents[i]) && !(w.dims.extents[i] == x.dims.extents[i])) return false;
        return true;
    }
}
/// To how many losses each weight belongs.
constexpr extent losses_of_weight(shape const& x, shape const& w) {
    extent n = static_extent(1);
    for (int i = 0; i < x.rank; ++i)
        if (w.rank == 0 || is_one(w.extents[i])) n = n * x.extents[i];
    return n;
}
/// The sum of the weights of all losses.
template<class L, class W>
constexpr auto sum_of_weights(W const& weights) {
    auto const repeats = number_of<cpp_type_t<value_of<L>.type>, losses_of_weight(value_of<L>.dims, value_of<W>.dims)>();
    if constexpr (value_of<W>.dims.rank == 0) return weights * repeats;
    else return sum(weights) * repeats;
}
template<class L, class W>
constexpr auto nonzero_weights(W const& weights) {
    using T = cpp_type_t<value_of<L>.type>;
    if constexpr (is_literal<W>) return sum_of_weights<L>(whole_literal < W::number != 0 ? 1 : 0 >);
    else return sum_of_weights<L>(cast<T>(not_equal(weights, literal<0>{})));
}
}

/// Losses times weights, reduced: by default their sum divided by the number of losses whose weight is not 0, as the functions of
/// tf.losses do. `weighted_loss<loss_reduction::mean>(losses, weights)` divides by the sum of the weights instead, and
/// `sum_over_batch_size` by the number of all losses. `none` gives the products. Losses have any shape, and one element type with the
/// weights, which are a number, or have the rank of the losses, each extent that of the losses or 1. Without weights all are 1.
///
/// A loss of weight 0 adds nothing, also if it is infinite or NaN; TensorFlow has NaN. If all weights are 0, or there is no loss, the
/// result is 0.
///
/// Gradient: of the losses, g times their weight, divided as the result is. Of the weights, by the chain rule; the number of weights
/// that are not 0 has none.
template<loss_reduction Reduction = loss_reduction::sum_by_nonzero_weights, class L, class W>
constexpr auto weighted_loss(L const& losses, W const& weights) {
    constexpr bool fit = detail::weights_fit<L, W>();
    static_assert(fit,
        "xgrad::weighted_loss(losses, weights): weights are not a number, and differ in an extent or in rank; give each extent "
        "of the losses, or 1");
    if constexpr (!Expr<L> || !Expr<W>) return detail::refuse_operand<L, W>();
    else if constexpr (!fit || value_of<L>.wrong != fault::none || value_of<W>.wrong != fault::none) return detail::refused{};
    else {
        auto const products = multiply_no_nan(losses, weights);
        if constexpr (value_of<decltype(products)>.wrong != fault::none || Reduction == loss_reduction::none) return products;
        else if constexpr (Reduction == loss_reduction::sum) return sum(products);
        else if constexpr (Reduction == loss_reduction::mean) return divide_no_nan(sum(products), detail::sum_of_weights<L>(weights));
        else if constexpr (Reduction == loss_reduction::sum_over_batch_size)
            return divide_no_nan(sum(products), detail::sum_of_weights<L>(literal<0x3FF0000000000000>{}));
        else return divide_no_nan(sum(products), detail::nonzero_weights<L>(weights));
    }
}
template<loss_reduction Reduction = loss_reduction::sum_by_nonzero_weights, class L>
constexpr auto weighted_loss(L const& losses) {
    return weighted_loss<Reduction>(losses, literal<0x3FF0000000000000>{});
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
