// SPDX-License-Identifier: MIT
// Residual blocks x + f(x), for which compilers print the type of x only once.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/dense.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {

/// x + f(x) as a separate block, for a stateless function object f of expressions. Without the block, the type would
/// contain the type of x twice, and would double with each block.
template<class F, class X>
struct residual_block : let<residual_block<F, X>> {
    static constexpr auto value() { return X{} + F{}(X{}); }
};
/// `residual(x, [](auto x) { return xg::tanh(xg::nn::dense<"d", 64>(x)); })`. The argument and the result of f have the
/// shape of x.
template<Expr X, class F>
constexpr auto residual(X const&, F const&) {
    static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F> && !Expr<F>,
        "xgrad::nn::residual(x, f): f is not a function object without state; write a lambda without captures or an empty "
        "struct");
    return residual_block<F, X>{};
}
// catches residual(x), residual(f, x), residual(x, f, g)
template<class... A>
constexpr auto residual(A const&...) {
    static_assert(sizeof...(A) > 99, "xgrad::nn::residual(x, f): the arguments are not an expression and a function; write residual(x, "
                                     "[](auto h) { return xg::nn::dense<\"d\", 64>(h); })");
    return detail::refused{};
}

/// x + Activation(matmul(x, w) + b) with the variables "Name/w" and "Name/b". Activation is the type of an element-wise
/// operation.
template<fixed_string Name, class Activation, class X>
struct residual_dense_block : let<residual_dense_block<Name, Activation, X>> {
    static constexpr auto value() {
        constexpr std::int64_t features = value_of<X>.dims.extents[value_of<X>.dims.rank - 1].constant;
        return X{} + elementwise<Activation>{}(dense<Name, features>(X{}));
    }
};
template<fixed_string Name, class Activation, Expr X>
constexpr auto residual_dense(X const&) {
    return residual_dense_block<Name, Activation, X>{};
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
