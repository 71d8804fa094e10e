// SPDX-License-Identifier: MIT
// Random numbers of distributions with parameters, as functions of streams without any: their gradients are those of the parameters.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/products/products.hpp>
#include <xgrad/ops/random/distributions.hpp>

XGRAD_NAMESPACE_BEGIN

/// Normal numbers of mean 0 and variance 1 between `low` and `high` (JAX's random.truncated_normal). The bounds broadcast and have one
/// element type, or one of them is a number such as 0_c. They may be infinite, and far from 0. For mean m and deviation s use
/// (low − m) / s, then multiply and add. Where the probability between them is below 10⁻³⁰⁰, or low is not below high, it is one of them.
/// Gradient: of both bounds, that of the inverse of the distribution at the same uniform number.
template<fixed_string Name, class A, class B, std::same_as<nn::shared_tag>... Shared>
    requires(!std::is_same_v<B, nn::shared_tag>)
constexpr auto truncated_normal_like(A const& low, B const& high, Shared... shared) {
    using namespace literals;
    if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else {
        using both = decltype(low + high);
        if constexpr (!detail::draws_like<Name, both>()) return detail::refuse_draw<both>();
        else {
            // The tail below 0 has the digits.
            auto const from = cast<double>(low);
            auto const to = cast<double>(high);
            auto const mirrored = greater(from, 0_c);
            auto const lower = ndtr(select(mirrored, -to, from));
            auto const upper = ndtr(select(mirrored, -from, to));
            auto const u = detail::inner_uniform<Name>(stop_gradient(lower + upper), shared...);
            auto const z = ndtri(lower + u * (upper - lower));
            auto const x = select(mirrored, -z, z);
            return cast<cpp_type_t<value_of<both>.type>>(minimum(maximum(x, from), to));
        }
    }
}
/// Weibull's numbers of scale 1 and shape k: (−log(1 − u)) to the power 1/k, element by element. NaN or infinite where k is not positive.
/// Gradient: of k, that of the power at the same uniform number.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto weibull_like(A const& k, Shared... shared) {
    using namespace literals;
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return pow(-log(detail::inner_uniform<Name>(stop_gradient(k), shared...)), 1_c / k);
}
/// Cauchy's numbers of scale 1 with the shape of x: −cot(πu).
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto cauchy_like(A const& x, Shared... shared) {
    using namespace literals;
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        auto const angle = 3.14159265358979323846_c * detail::inner_uniform<Name>(x, shared...);
        return -(cos(angle) / sin(angle));
    }
}
/// Normal vectors with the means `mean` [..., n] and the covariance l lᵀ of factors l [..., n, n], such as cholesky(covariance). The axes
/// of l before the last two broadcast to those of mean.
/// Gradient: of mean, g; of l, the products of each element of g with each normal number.
template<fixed_string Name, class A, class L, std::same_as<nn::shared_tag>... Shared>
constexpr auto multivariate_normal_like(A const& mean, L const& l, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else return mean + matvec(l, normal_like<Name>(stop_gradient(mean), shared...));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
