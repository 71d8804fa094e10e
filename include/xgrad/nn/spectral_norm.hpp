// SPDX-License-Identifier: MIT
// Weights divided by their largest singular value, with the vector of the power method as state.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/norms.hpp>
#include <xgrad/ops/normalization/lengths.hpp>
#include <xgrad/train/layer_updates.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// w divided by its largest singular value, with the variable "Name/u" [units], which is not trainable and begins at 1.
template<fixed_string Name, int Iterations, class W>
struct spectral_norm_layer : let<spectral_norm_layer<Name, Iterations, W>> {
    static constexpr std::int64_t units = value_of<W>.dims.extents[value_of<W>.dims.rank - 1].constant;
    static constexpr detail::started_variable<detail::start_at(1), join_names<Name, "u">(), cpp_type_t<value_of<W>.type>, false, units> u{};
    static constexpr auto value() {
        constexpr W w{};
        auto const [normalized, next] = spectral_normalization<Iterations>(w, u);
        auto const m = detail::as_matrix(w);
        auto const row = expand_dims<0>(u);
        auto const now = detail::singular_value(m, l2_normalize(matmul<false, true>(row, m)), row);
        return apply<op::in_training>(apply<op::of_layer>(w, u, normalized), w / reshape<>(now), u, next);
    }
};
/// Spectral normalization of the weights w [..., units]: `matmul(x, nn::spectral_norm<"sn">(w))` has a matrix whose largest
/// singular value is nearly 1 (Miyato and others 2018; Keras' SpectralNormalization). One step of the power method per
/// training step, or `Iterations`, begins at the variable "Name/u". nn::updates(loss) keeps the vector for the next step;
/// without it, or nn::no_updates(loss), minimize refuses the loss.
/// eval(y) uses the vector as it is.
template<fixed_string Name, int Iterations = 1, Expr W>
constexpr auto spectral_norm(W const& w) {
    constexpr bool fits = [] {
        if (value_of<W>.wrong != fault::none) return false;
        bool all = value_of<W>.dims.rank >= 2 && is_floating(value_of<W>.type);
        for (int i = 0; i < value_of<W>.dims.rank; ++i) all = all && value_of<W>.dims.extents[i].is_static();
        return all;
    }();
    static_assert(fits || value_of<W>.wrong != fault::none,
        "xgrad::nn::spectral_norm<name>(w): w is not float or double, has one axis, or extents that are not integers; give a matrix of "
        "weights");
    if constexpr (!fits) return static_cast<void>(w), detail::refused{};
    else return spectral_norm_layer<Name, Iterations, W>{};
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
