// SPDX-License-Identifier: MIT
// A fully connected layer with its own variables.
#pragma once

#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/arithmetic.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// matmul(x, w) + b with the variables "Name/w" [features of x, Units] and "Name/b" [Units]. It stands for itself under its own name, so that a
/// deep net prints the type of each layer's input once.
template<fixed_string Name, std::int64_t Units, class X>
struct dense_layer : let<dense_layer<Name, Units, X>> {
    using element = cpp_type_t<computed_type(value_of<X>.type)>;
    static constexpr std::int64_t features = value_of<X>.dims.extents[value_of<X>.dims.rank - 1].constant;
    static constexpr variable_type<detail::join_names<Name, "w">(), element, true, features, Units> w{};
    static constexpr variable_type<detail::join_names<Name, "b">(), element, true, Units> b{};
    static constexpr auto value() { return matmul(X{}, w) + b; }
};

/// x [..., features] → [..., Units].
template<fixed_string Name, std::int64_t Units, Expr X>
constexpr auto dense(X const&) {
    static_assert(value_of<X>.wrong != fault::none || has_gradient(value_of<X>.type),
        "xgrad::nn::dense<name, units>(x): x must be float or double; write cast<float>(x)");
    static_assert(
        value_of<X>.wrong != fault::none || (value_of<X>.dims.rank >= 2 && value_of<X>.dims.extents[value_of<X>.dims.rank - 1].is_static()),
        "xgrad::nn::dense<name, units>(x): x must have at least two axes, the last of an integer extent");
    return dense_layer<Name, Units, X>{};
}

// dense(x, 32), dense("d", 32)
template<class X, class... A>
constexpr auto dense(X const&, A const&...) {
    static_assert(detail::never<X>, "xgrad::nn::dense: name and units are template arguments: dense<\"hidden\", 32>(x)");
    return detail::refused{};
}
// dense<"d">(x, 32)
template<fixed_string Name, class X, class... A>
    requires(sizeof...(A) > 0 || Expr<X>)
constexpr auto dense(X const& x, A const&... units) {
    return nn::dense(x, units...);
}

}   // namespace nn
XGRAD_NAMESPACE_END
