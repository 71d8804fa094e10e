// SPDX-License-Identifier: MIT
// A fully connected layer with its own variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/refused_layer.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// matmul(x, w) + b, where w belongs to the layer.
struct dense : composite_op {
    static constexpr std::string_view name = "dense";
    static constexpr int owned = 1;   // operand 1 (w) belongs to the layer
    template<class X, class W, class B>
    using shared = node<add, node<with<matmul, product_attributes{}>, X, W>, B>;
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        r.dims.extents[r.dims.rank - 1] = v[1].dims.extents[1];
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, attributes const&) {
        return multiply(x[0], x[1], false, false) + x[2];
    }
};
}

namespace detail {
template<std::int64_t Units, Expr X>
constexpr bool dense_takes() {
    static_assert(Units >= 1 || value_of<X>.wrong != fault::none,
        "xgrad::nn::dense<name, units>(x): units are less than 1; write dense<\"hidden\", 32>(x)");
    constexpr bool floating = value_of<X>.wrong != fault::none || has_gradient(value_of<X>.type);
    constexpr bool rows =
        value_of<X>.wrong != fault::none || (value_of<X>.dims.rank >= 2 && value_of<X>.dims.extents[value_of<X>.dims.rank - 1].is_static());
    static_assert(floating, "xgrad::nn::dense<name, units>(x): x is neither float nor double; write cast<float>(x)");
    static_assert(rows,
        "xgrad::nn::dense<name, units>(x): x has fewer than two axes, or its last extent is not an integer; write reshape or "
        "expand_dims, or declare x with an integer there");
    return Units >= 1 && floating && rows && value_of<X>.wrong == fault::none;
}
template<class... A>
inline constexpr bool is_layer_call = false;
template<class X>
inline constexpr bool is_layer_call<X> = Expr<X>;
template<class X>
inline constexpr bool is_layer_call<X, nn::shared_tag> = Expr<X>;
template<auto... Units>
inline constexpr bool is_units = false;
template<auto Units>
inline constexpr bool is_units<Units> = std::is_integral_v<decltype(Units)>;
template<class... A>
constexpr refused_layer refuse_dense() {
    static_assert(sizeof...(A) == 0,
        "xgrad::nn::dense: name and units are not alone in angle brackets, or x is not the only argument; write "
        "dense<\"hidden\", 32>(x), with an activation relu(dense<\"hidden\", 32>(x))");
    return {};
}
}
namespace nn {

/// matmul(x, w) + b with the variables "Name/w" [features of x, Units] and "Name/b" [Units]. It is a block with a
/// separate name, so that compilers print the type of each layer's input only once in a deep network.
template<fixed_string Name, std::int64_t Units, class X>
struct dense_layer : let<dense_layer<Name, Units, X>> {
    using element = cpp_type_t<computed_type(value_of<X>.type)>;
    static constexpr std::int64_t features = value_of<X>.dims.extents[value_of<X>.dims.rank - 1].constant;
    static constexpr variable_type<join_names<Name, "w">(), element, true, features, Units> w{};
    static constexpr variable_type<join_names<Name, "b">(), element, true, Units> b{};
    static constexpr auto value() { return apply<op::dense>(X{}, w, b); }
};
/// The same layer, whose variables another layer may use too.
template<fixed_string Name, std::int64_t Units, class X>
struct shared_dense_layer : let<shared_dense_layer<Name, Units, X>> {
    static constexpr auto w = dense_layer<Name, Units, X>::w;
    static constexpr auto b = dense_layer<Name, Units, X>::b;
    static constexpr auto value() { return matmul(X{}, w) + b; }
};

/// x [..., features] → [..., Units]. Two layers of one program need different names, unless one shares the variables of
/// the other: `dense<"tower", 32>(x, nn::shared)`. The same layer of the same x is one layer, even if it is written
/// several times.
template<fixed_string Name, std::int64_t Units, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto dense(X const&) {
    if constexpr (detail::dense_takes<Units, X>()) return dense_layer<Name, Units, X>{};
    else return detail::refused_layer{};
}
template<fixed_string Name, std::int64_t Units, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto dense(X const&, shared_tag) {
    if constexpr (detail::dense_takes<Units, X>()) return shared_dense_layer<Name, Units, X>{};
    else return detail::refused_layer{};
}

// catches dense(x, 32), dense("d", 32), dense<"d", 4, 32>(x), dense<"d", 32>(x, relu), dense<"d">(x, 32)
template<class X, class... A>
constexpr auto dense(X const&, A const&...) {
    return detail::refuse_dense<X, A...>();
}
template<fixed_string Name, auto... Units, class... A>
    requires(!(detail::is_units<Units...> && detail::is_layer_call<A...>))
constexpr auto dense(A const&...) {
    return detail::refuse_dense<decltype(Name), A...>();
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
