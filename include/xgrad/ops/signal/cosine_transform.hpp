// SPDX-License-Identifier: MIT
// Discrete cosine transforms of the last axis.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/fft.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/select.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

/// The factors of dct and idct: SciPy's norm=None, or those that make the transform orthogonal.
enum class dct_norm { none, ortho };

namespace detail::fft {
/// e^(−2πi k / 4n) for k ≤ n/2, where n is N or not known. The memory has 2 (n/2 + 1) elements.
template<class T, std::int64_t N>
struct static_quarter_roots {
    T re[static_cast<std::size_t>(N / 2 + 1)], im[static_cast<std::size_t>(N / 2 + 1)];
    bool filled;
    static_quarter_roots() {
        roots(1, 4 * N, N / 2 + 1, planes<T>{re, im});
        filled = true;
    }
};
template<class T, std::int64_t N>
inline static_quarter_roots<T, N> const quarter_roots_of{};
template<std::int64_t N, class T>
planes<T const> quarter_roots(std::int64_t n, T* memory) {
    if constexpr (has_tables<N>)
        if (quarter_roots_of<T, N>.filled) return {quarter_roots_of<T, N>.re, quarter_roots_of<T, N>.im};
    roots(1, 4 * n, n / 2 + 1, planes<T>{memory, memory + n / 2 + 1});
    return {memory, memory + n / 2 + 1};
}
}

namespace op {
/// Σ_j x[j] cos(πk (2j + 1) / 2n) of rows [rows, n], or its transpose Σ_j x[j] cos(πj (2k + 1) / 2n). N is known_length of n.
/// Source: J. Makhoul, A fast cosine transform in one and two dimensions, 1980.
template<bool Transposed, std::int64_t N>
struct cosine_sums : kernel_op {
    static constexpr std::string_view name = Transposed ? "dct3" : "dct2";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return transform_memory(v.dims(0).extents[1], 10); }
    static constexpr extent flops(kernel_operands const& v) { return transform_flops(v.dims(0)); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> in, tensor_view<T, 2> out) {
        std::int64_t const n = in.shape(1), h = n / 2 + 1;
        if (n == 0) return;
        T *const v = reinterpret_cast<T*>(part.scratch), *const re = v + n, *const im = re + h;
        detail::fft::planes<T const> const w = detail::fft::quarter_roots<N>(n, im + h);
        detail::fft::real_transform<N, T> const f(n, v + n + 4 * h);
        for (std::int64_t row = part.first; row < part.last; ++row) {
            T const* const x = in.data() + row * n;
            T* const y = out.data() + row * n;
            if constexpr (!Transposed) {
                for (std::int64_t k = 0; 2 * k < n; ++k) v[k] = x[2 * k];   // odd elements come last, in reverse order
                for (std::int64_t k = 0; 2 * k + 1 < n; ++k) v[n - 1 - k] = x[2 * k + 1];
                f.forward(v, re, im);
                y[0] = re[0];
                for (std::int64_t k = 1; k < h; ++k) {
                    y[n - k] = -(w.re[k] * im[k] + w.im[k] * re[k]);
                    y[k] = w.re[k] * re[k] - w.im[k] * im[k];
                }
            } else {
                re[0] = x[0];
                im[0] = 0;
                for (std::int64_t k = 1; k < h; ++k) {
                    re[k] = T(0.5) * (w.re[k] * x[k] - w.im[k] * x[n - k]);
                    im[k] = T(-0.5) * (w.im[k] * x[k] + w.re[k] * x[n - k]);
                }
                f.inverse(re, im, v);
                for (std::int64_t k = 0; 2 * k < n; ++k) y[2 * k] = v[k];
                for (std::int64_t k = 0; 2 * k + 1 < n; ++k) y[2 * k + 1] = v[n - 1 - k];
            }
        }
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply<cosine_sums<!Transposed, N>>(d.gradient); }
};
}

namespace detail {
template<int Type, class A>
constexpr fft_slip dct_slip_of() {
    constexpr fft_slip slip = fft_slip_of<A>();
    if constexpr (slip != fft_slip::none) return slip;
    else {
        constexpr extent n = extent_from_end<A>(1);
        return n.is_static() && n.constant < (Type == 1 ? 2 : 1) ? fft_slip::length : fft_slip::none;
    }
}
/// x with the first element of the last axis times `factor`, and the last one too if `Both`.
template<bool Both, class A, class F>
constexpr auto ends_times(A const& x, F const& factor) {
    constexpr extent n = extent_from_end<A>(1);
    constexpr positions_along<n> place{};
    auto const first = equal(place, literal<0>{});
    if constexpr (Both) return select(logical_or(first, equal(place, extent_as<n - static_extent(1), std::int32_t>())), x * factor, x);
    else return select(first, x * factor, x);
}
template<bool Transposed, class A>
constexpr auto cosine_sums_of(A const& x) {
    constexpr extent n = extent_from_end<A>(1);
    constexpr shape rows = rows_of<n>(value_of<A>.dims);
    return reshaped_to<value_of<A>.dims>(kernel_function<op::cosine_sums<Transposed, op::known_length(n)>>{}(reshaped_to<rows>(x)));
}
/// x[0] ± x[n − 1] + 2 Σ x[j] cos(πjk / (n − 1)), by the transform of x and its mirror image.
template<class A>
constexpr auto cosine_sums_of_mirrored(A const& x) {
    constexpr extent n = extent_from_end<A>(1);
    constexpr int axis = value_of<A>.dims.rank - 1;
    return real(rfft(concat<axis>(x, flip<axis>(slice<axis, static_extent(1), n - static_extent(1)>(x)))));
}
/// Σ x[j] cos(π (2j + 1) (2k + 1) / 4n), by a complex transform of twice the length.
template<class A>
constexpr auto cosine_sums_of_odd(A const& x) {
    using namespace literals;
    using T = cpp_type_t<value_of<A>.type>;
    constexpr extent n = extent_from_end<A>(1);
    constexpr int axis = value_of<A>.dims.rank - 1;
    auto const place = cast<T>(positions_along<n>{});
    auto const step = 1.570796326794896619231_c / extent_as<n, T>();
    auto const before = place * step;
    auto const after = (place + 0.5_c) * step;
    auto const zero = zeros_like(x);
    auto const z = xgrad::fft(complex(concat<axis>(x * cos(before), zero), concat<axis>(-(x * sin(before)), zero)));
    return slice<axis, static_extent(0), n>(real(z)) * cos(after) + slice<axis, static_extent(0), n>(imag(z)) * sin(after);
}
template<int Type, dct_norm Norm, class A>
constexpr auto dct_of(A const& x) {
    using namespace literals;
    using T = cpp_type_t<value_of<A>.type>;
    constexpr extent n = extent_from_end<A>(1);
    auto const root = [&] {
        if constexpr (Type == 1) return sqrt(0.5_c / extent_as<n - static_extent(1), T>());
        else return sqrt(2_c / extent_as<n, T>());
    }();
    if constexpr (Norm == dct_norm::none) {
        if constexpr (Type == 1) return cosine_sums_of_mirrored(x);
        else if constexpr (Type == 2) return 2_c * cosine_sums_of<false>(x);
        else if constexpr (Type == 3) return 2_c * cosine_sums_of<true>(ends_times<false>(x, 0.5_c));
        else return 2_c * cosine_sums_of_odd(x);
    } else {
        if constexpr (Type == 1)
            return ends_times<true>(
                root * cosine_sums_of_mirrored(ends_times<true>(x, 1.414213562373095048802_c)), 0.707106781186547524401_c);
        else if constexpr (Type == 2) return ends_times<false>(root * cosine_sums_of<false>(x), 0.707106781186547524401_c);
        else if constexpr (Type == 3) return root * cosine_sums_of<true>(ends_times<false>(x, 0.707106781186547524401_c));
        else return root * cosine_sums_of_odd(x);
    }
}
template<int Type, class A>
constexpr fft_slip checked_dct() {
    constexpr fft_slip slip = dct_slip_of<Type, A>();
    static_assert(Type >= 1 && Type <= 4, "xgrad::dct<type, norm>(x), idct<type, norm>(x): there is no such type; write 1, 2, 3 or 4");
    static_assert(slip != fft_slip::rank, "xgrad::dct<type, norm>(x), idct<type, norm>(x): x has no axis; write expand_dims<0>(x)");
    static_assert(
        slip != fft_slip::type, "xgrad::dct<type, norm>(x), idct<type, norm>(x): x is neither float nor double; write cast<float>(x)");
    static_assert(slip != fft_slip::length,
        "xgrad::dct<type, norm>(x), idct<type, norm>(x): the last axis has no elements, or one for type 1; give more");
    if constexpr (Type < 1 || Type > 4) return fft_slip::wrong;
    else return slip;
}
}

/// The discrete cosine transform of the last axis, of type 1, 2, 3 or 4, in float or double (SciPy's fft.dct). `dct(x)` is that of
/// type 2: 2 Σ_j x[j] cos(πk (2j + 1) / 2n). `dct<2, dct_norm::ortho>(x)` has the factors that make it orthogonal.
/// Types 2 and 3 take a transform of real numbers of the same length; type 1 one of 2n − 2, type 4 a complex one of 2n. n is any
/// length of at least 1, for type 1 at least 2. For the first coefficients alone write slice of the result.
///
/// Gradient: the transposed transform of g: type 3 for type 2, and each of types 1 and 4 itself, up to factors at the ends.
template<int Type = 2, dct_norm Norm = dct_norm::none, class A>
constexpr auto dct(A const& x) {
    constexpr auto slip = detail::checked_dct<Type, A>();
    if constexpr (slip == detail::fft_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::fft_slip::none) return detail::refused{};
    else return detail::dct_of<Type, Norm>(x);
}
/// The inverse of dct with the same type and norm: `idct(dct(x))` is x (SciPy's fft.idct). It is the dct of type 3 for type 2, and of
/// type 2 for type 3. Types 1 and 4 are their own inverses. Without dct_norm::ortho it is divided by 2n, for type 1 by 2n − 2.
/// Gradient: the transposed transform of g, as of dct.
template<int Type = 2, dct_norm Norm = dct_norm::none, class A>
constexpr auto idct(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::checked_dct<Type, A>();
    if constexpr (slip == detail::fft_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::fft_slip::none) return detail::refused{};
    else {
        constexpr int other = Type == 2 ? 3 : Type == 3 ? 2 : Type;
        constexpr extent n = detail::extent_from_end<A>(1), length = Type == 1 ? n - static_extent(1) : n;
        auto const y = detail::dct_of<other, Norm>(x);
        if constexpr (Norm == dct_norm::ortho) return y;
        else return y / (2_c * detail::extent_as<length, cpp_type_t<value_of<A>.type>>());
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
