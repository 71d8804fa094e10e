// SPDX-License-Identifier: MIT
// The logarithm of the normal distribution, and the scaled complement of the error function.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/select.hpp>
#include <xgrad/ops/special/erfc.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// exp(z²) erfc(z) for z of at least 0: the polynomial of erfc, then the asymptotic series.
template<class V>
XGRAD_INLINE V scaled_erfc(V const& z) {
    using T = math::scalar_of<V>;
    using t = erfc_traits<T>;
    constexpr T series[] = {T(1), T(-0.5), T(0.75), T(-1.875), T(6.5625), T(-29.53125), T(162.421875)};
    V const below = math::min(V(t::limit), z), above = math::max(V(t::limit), z);
    V const inverse = V(T(1)) / (below + V(t::center)), part = V(T(1)) / above;
    V const near = in_two_chains(math::fma(inverse, V(T(-2) * t::center), V(T(1))), t::poly) * inverse;
    V const far = V(static_cast<T>(0.56418958354775628695)) * part * horner(V(part * part), series);   // 1 / √π
    return math::where(math::less_equal(z, V(t::limit)), near, far);
}
struct erfcx : floating_function {
    static constexpr std::string_view name = "erfcx";
    static constexpr int flops = 70;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        V const size = math::abs(x), square = size * size, power = math::exp(square),
                inf(std::numeric_limits<math::scalar_of<V>>::infinity());
        V const exact = math::where(math::equal(power, inf), inf, math::fma(power, rest_of_square(size, square), power));
        V const y = scaled_erfc(size);
        return math::where(math::less(x, V(0)), exact + exact - y, y);
    }
    static constexpr symbol derivative(symbol x, symbol y, symbol g) {
        symbol const far = xgrad::greater(x, 16_c), near = xgrad::select(far, 0_c, x);
        symbol const part = xgrad::square(1_c / xgrad::select(far, x, 16_c));
        return g * xgrad::select(far, 1.1283791670955126_c * rest_of_series(-part), 2_c * near * y - 1.1283791670955126_c);
    }
};
struct log_ndtr : floating_function {
    static constexpr std::string_view name = "log_ndtr";
    static constexpr int flops = 120;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const half(T(0.5)), above = math::log1p(-(half * erfc_of_magnitude<true>(x)));
        V const scaled = scaled_erfc(V(math::abs(x) * V(static_cast<T>(0.70710678118654752440))));
        return math::where(math::greater(x, V(0)), above, math::log(half * scaled) - half * x * x);
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
}

/// exp(x²) erfc(x), which does not underflow for large x (SciPy's erfcx). It overflows for x below −26, in float below −9.
///
/// Gradient: 2x erfcx(x) − 2/√π, times g. Its relative error grows to some hundred ULP at 16. Beyond it is small: a series is used.
inline constexpr elementwise<op::erfcx> erfcx{};
/// The logarithm of the normal distribution, log Φ(x), also where Φ(x) underflows (SciPy's log_ndtr, JAX's too). −inf gives −inf, inf
/// gives 0.
inline constexpr elementwise<op::log_ndtr> log_ndtr{};

namespace op {
// The density divided by Φ(x). Each quotient is finite where it is taken.
constexpr symbol log_ndtr::derivative(symbol x, symbol, symbol g) {
    symbol const below = xgrad::less(x, 0_c), magnitude = xgrad::select(below, -x, 0_c), positive = xgrad::select(below, 0_c, x);
    symbol const tail = 0.7978845608028654_c / xgrad::erfcx(0.7071067811865476_c * magnitude);
    return g * xgrad::select(below, tail, 0.3989422804014327_c * xgrad::exp(-0.5_c * xgrad::square(positive)) / xgrad::ndtr(positive));
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
