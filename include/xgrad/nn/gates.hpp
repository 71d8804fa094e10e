// SPDX-License-Identifier: MIT
// Small layers: prelu, layer_scale, highway, bilinear.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/norms.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// aᵀ w[:, k, :] b + bias[k] of a, b, w [i, units, j] and bias [units].
struct bilinear : composite_op {
    static constexpr std::string_view name = "bilinear";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        r.dims.extents[r.dims.rank - 1] = v[2].dims.extents[1];
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, attributes const&) {
        shape const a = t.info(x[0]).dims, b = t.info(x[1]).dims, w = t.info(x[2]).dims;
        symbol const products = multiply(x[0], reshape_to(x[2], shape{2, {w.extents[0], w.extents[1] * w.extents[2]}}), false, false);
        shape by_unit = a, row = b;   // [..., units, j], and b as [..., 1, j]
        by_unit.extents[a.rank - 1] = w.extents[1];
        by_unit.extents[by_unit.rank++] = w.extents[2];
        row.extents[b.rank - 1] = static_extent(1);
        row.extents[row.rank++] = b.extents[b.rank - 1];
        return sum_over(reshape_to(products, by_unit) * reshape_to(x[1], row), axis_set::of(a.rank), false) + x[3];
    }
};
}

namespace nn {

/// x where it is above 0, else alpha x, with the variable "Name/alpha" [features of x], which begins at 0 as in Keras;
/// PyTorch's begins at 0.25: `initialize(how, initial(constant_initializer{0.25}, layer.alpha))`. There is one alpha for
/// each number of the last axis, as with all other axes in Keras' shared_axes. The gradient at 0 is 0.
template<fixed_string Name, class X>
struct prelu_layer : let<prelu_layer<Name, X>> {
    using own = detail::channel_variables<Name, X>;
    static constexpr detail::started_variable<detail::start_at(0), join_names<Name, "alpha">(), typename own::element, true, own::features>
        alpha{};
    static constexpr auto value() { return apply<op::of_layer>(X{}, alpha, relu(X{}) - alpha * relu(-X{})); }
};
template<fixed_string Name, Expr X>
constexpr auto prelu(X const&) {
    if constexpr (detail::norm_takes<1, X>()) return prelu_layer<Name, X>{};
    else return detail::refused{};
}

/// x gamma with the variable "Name/gamma" [features of x], which begins at 1e-5: the end of a residual branch that is nearly
/// absent at first (Touvron and others 2021).
template<fixed_string Name, class X>
struct layer_scale_layer : let<layer_scale_layer<Name, X>> {
    using own = detail::channel_variables<Name, X>;
    static constexpr detail::started_variable<detail::start_at(1e-5f), join_names<Name, "gamma">(), typename own::element, true,
        own::features>
        gamma{};
    static constexpr auto value() { return apply<op::of_layer>(X{}, gamma, X{} * gamma); }
};
template<fixed_string Name, Expr X>
constexpr auto layer_scale(X const&) {
    if constexpr (detail::norm_takes<1, X>()) return layer_scale_layer<Name, X>{};
    else return detail::refused{};
}

/// t Activation(x w + b) + (1 − t) x with t = sigmoid(x gate + gate_b), for [..., features] (Srivastava, Greff, Schmidhuber
/// 2015). The variables are "Name/w", "Name/b", "Name/gate" and "Name/gate_b", which begins at −1, so that x passes at
/// first. Activation is the type of an element-wise operation: `highway<"hw", op::relu>(x)`.
template<fixed_string Name, class Activation, class X>
struct highway_layer : let<highway_layer<Name, Activation, X>> {
    using own = detail::channel_variables<Name, X>;
    using element = typename own::element;
    static constexpr std::int64_t features = own::features;
    static constexpr variable_type<join_names<Name, "w">(), element, true, features, features> w{};
    static constexpr variable_type<join_names<Name, "gate">(), element, true, features, features> gate{};
    static constexpr detail::started_variable<detail::start_at(0), join_names<Name, "b">(), element, true, features> b{};
    static constexpr detail::started_variable<detail::start_at(-1), join_names<Name, "gate_b">(), element, true, features> gate_b{};
    static constexpr auto value() {
        auto const t = sigmoid(matmul(X{}, gate) + gate_b);
        return apply<op::of_layer>(X{}, w, t * elementwise<Activation>{}(matmul(X{}, w) + b) + (1_c - t) * X{});
    }
};
template<fixed_string Name, class Activation = op::relu, Expr X>
constexpr auto highway(X const&) {
    if constexpr (detail::norm_takes<2, X>()) return highway_layer<Name, Activation, X>{};
    else return detail::refused{};
}

/// y[k] = aᵀ W[k] b + bias[k] of a [..., i] and b [..., j] with equal leading axes: [..., Units] (PyTorch's Bilinear). The
/// variables are "Name/w" [i, Units, j], PyTorch's with the first two axes exchanged, and "Name/b" [Units], which begins at
/// 0.
template<fixed_string Name, std::int64_t Units, class A, class B>
struct bilinear_layer : let<bilinear_layer<Name, Units, A, B>> {
    using of_a = detail::channel_variables<Name, A>;
    static constexpr variable_type<join_names<Name, "w">(), typename of_a::element, true, of_a::features, Units,
        detail::channel_variables<Name, B>::features>
        w{};
    static constexpr detail::started_variable<detail::start_at(0), join_names<Name, "b">(), typename of_a::element, true, Units> b{};
    static constexpr auto value() { return apply<op::of_layer>(A{}, w, apply<op::bilinear>(A{}, B{}, w, b)); }
};
template<fixed_string Name, std::int64_t Units, Expr A, Expr B>
constexpr auto bilinear(A const&, B const&) {
    constexpr bool fits = [] {
        value_info const &a = value_of<A>, &b = value_of<B>;
        if (a.wrong != fault::none || b.wrong != fault::none) return true;
        if (a.dims.rank != b.dims.rank || a.dims.rank == max_rank || a.type != b.type) return false;
        for (int i = 0; i + 1 < a.dims.rank; ++i)
            if (!(a.dims.extents[i] == b.dims.extents[i])) return false;
        return true;
    }();
    static_assert(fits, "xgrad::nn::bilinear<name, units>(a, b): a and b have different element types or axes before the last; write "
                        "cast<float>(b), broadcast_to or reshape");
    static_assert(Units >= 1, "xgrad::nn::bilinear<name, units>(a, b): units are less than 1; write bilinear<\"b\", 32>(a, b)");
    if constexpr (!fits || Units < 1) return detail::refused{};
    else if constexpr (detail::norm_takes<2, A>() && detail::norm_takes<2, B>()) return bilinear_layer<Name, Units, A, B>{};
    else return detail::refused{};
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
