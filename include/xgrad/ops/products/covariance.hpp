// SPDX-License-Identifier: MIT
// Covariances and correlations of variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class covariance_slip { none, no_expression, wrong, rank, type };
template<class A>
constexpr covariance_slip covariance_slip_of() {
    if constexpr (!Expr<A>) return covariance_slip::no_expression;
    else {
        value_info const& v = value_of<A>;
        if (v.wrong != fault::none) return covariance_slip::wrong;
        if (v.dims.rank < 1 || v.dims.rank > 2) return covariance_slip::rank;
        return is_floating(computed_type(v.type)) ? covariance_slip::none : covariance_slip::type;
    }
}
template<covariance_slip Slip>
constexpr void check_covariance() {
    static_assert(Slip != covariance_slip::rank,
        "xgrad::cov(x), corrcoef(x): x has neither one axis nor two; give one row for each variable, or reshape x");
    static_assert(Slip != covariance_slip::type, "xgrad::cov(x), corrcoef(x): x is neither float nor double; write cast<float>(x) first");
}
template<std::int64_t Ddof, class A>
constexpr auto covariance_of(A const& x) {
    using T = cpp_type_t<computed_type(value_of<A>.type)>;
    auto const centred = x - mean<-1>(x, keep_dims);
    auto const terms = extent_as<extent_from_end<A>(1), T>() - constant<T, Ddof>;
    if constexpr (value_of<A>.dims.rank == 1) return sum(square(centred)) / terms;
    else return matmul<false, true>(centred, centred) / terms;
}
}

/// The covariances of variables, the rows of x: [n, n] of [n, observations], and one variance of [observations]. The sums of products are
/// divided by the number of observations minus Ddof (NumPy's cov with ddof). One observation gives NaN.
/// Gradient: that of the products.
template<std::int64_t Ddof = 1, class A>
constexpr auto cov(A const& x) {
    constexpr auto slip = detail::covariance_slip_of<A>();
    detail::check_covariance<slip>();
    if constexpr (slip == detail::covariance_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::covariance_slip::none) return detail::refused{};
    else return detail::covariance_of<Ddof>(x);
}
/// The correlations of variables, the rows of x: covariances divided by both standard deviations, not above 1 or below −1 (NumPy's
/// corrcoef). A row of equal numbers gives NaN.
/// Gradient: that of the products and quotients.
template<class A>
constexpr auto corrcoef(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::covariance_slip_of<A>();
    detail::check_covariance<slip>();
    if constexpr (slip == detail::covariance_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::covariance_slip::none) return detail::refused{};
    else {
        auto const c = detail::covariance_of<1>(x);
        if constexpr (value_of<A>.dims.rank == 1) return c / c;
        else {
            auto const deviations = sqrt(diag_part(c));
            return minimum(maximum(c / expand_dims<-1>(deviations) / deviations, -1_c), 1_c);
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
