// SPDX-License-Identifier: MIT
// Discrete Fourier transforms of the last axis, of any length.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/complex/complex.hpp>
#include <xgrad/ops/complex/fft_real.hpp>
#include <xgrad/ops/diagonals.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The memory of a transform of the last axis of operand 0, and `more` elements for each of its elements.
constexpr extent transform_memory(extent const& n, std::int64_t more) {
    if (n.is_static())
        return static_extent(8 * (detail::fft::transform<double>::memory(n.constant > 0 ? n.constant : 1) + more * (n.constant + 1)));
    return n * static_extent(8 * (detail::fft::most_memory_per_element + more)) + static_extent(8 * (detail::fft::most_memory_rest + more));
}
/// The memory of detail::fft::real_transform.
constexpr extent real_transform_memory(extent const& n) { return transform_memory(n, 6); }
/// About 5 n log2 n for each row.
constexpr extent transform_flops(shape const& s) {
    extent const n = s.extents[s.rank - 1];
    std::int64_t bits = n.is_static() ? 0 : 10;
    for (std::int64_t k = n.is_static() ? n.constant : 0; k > 1; k /= 2) ++bits;
    return s.size() * static_extent(5 * (bits > 0 ? bits : 1));
}
/// The length as a template argument of the kernels: 0 if it is a named dimension.
constexpr std::int64_t known_length(extent const& n) { return n.is_static() ? n.constant : 0; }
/// Σ x e^(∓2πi jk / n) of rows: [rows, n] real and imaginary parts. No factor 1 / n. N is known_length of n.
template<bool Inverse, std::int64_t N>
struct transform_rows : kernel_op {
    static constexpr std::string_view name = Inverse ? "ifft" : "fft";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return transform_memory(v.dims(0).extents[1], 0); }
    static constexpr extent flops(kernel_operands const& v) { return transform_flops(v.dims(0)); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> re, tensor_view<T const, 2> im, tensor_view<T, 2> out_re,
        tensor_view<T, 2> out_im) {
        std::int64_t const n = re.shape(1);
        if (n == 0) return;
        auto const f = detail::fft::transform_of<N>(n, reinterpret_cast<T*>(part.scratch));
        for (std::int64_t row = part.first; row < part.last; ++row) {
            detail::fft::planes<T const> x{re.data() + row * n, im.data() + row * n};
            detail::fft::planes<T> y{out_re.data() + row * n, out_im.data() + row * n};
            if constexpr (Inverse) f.run({x.im, x.re}, {y.im, y.re});
            else f.run(x, y);
        }
    }
    // The transposed conjugate of the transform is the other one.
    static constexpr void derive(derivation& d) {
        symbol const zero = d.gradients[0].exists() ? d.gradients[0] * 0_c : d.gradients[1] * 0_c;
        symbol const back = apply<transform_rows<!Inverse, N>>(
            d.gradients[0].exists() ? d.gradients[0] : zero, d.gradients[1].exists() ? d.gradients[1] : zero);
        for (int k = 0; k < 2; ++k) d.out[k] = detail::output_of(back, k);
    }
};
/// How many terms of the whole spectrum a term of the half spectrum k = 0 ... n/2 gives: 2, and 1 for k = 0 and k = n/2.
constexpr symbol terms_of_half(symbol like, extent const& half, extent const& n) {
    symbol_table& t = *like.table;
    symbol const k = t.add(op_register<index>::info, nullptr, 0, shape_attributes({1, {half}}));
    symbol const length = size_of_axes(t, {1, {n}}, axis_set::of(0), dtype::int32);
    symbol const one = t.constant(1, t.info(like).type), two = t.constant(2, t.info(like).type);
    return xgrad::select(xgrad::logical_and(xgrad::greater(k, 0_c), xgrad::less(2_c * k, length)), two, one);
}
/// Divides by the length of the last axis.
struct divide_by_length : composite_op {
    static constexpr std::string_view name = "divide_by_length";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) { return v[0]; }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const&) {
        shape const& s = t.info(x[0]).dims;
        return x[0] / size_of_axes(t, s, axis_set::of(s.rank - 1), t.info(x[0]).type);
    }
};
template<std::int64_t N>
struct half_spectrum;
/// The inverse of half_spectrum without the factor 1 / n. The attribute is n. Imaginary parts of k = 0 and k = n/2 are not read.
template<std::int64_t N>
struct from_half_spectrum : kernel_op {
    static constexpr std::string_view name = "irfft";
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        value_info r = v[0];
        r.dims.extents[1] = a.extents[0];
        return r;
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return real_transform_memory(v.dims(2).extents[1]); }
    static constexpr extent flops(kernel_operands const& v) { return transform_flops(v.dims(2)); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> re, tensor_view<T const, 2> im, tensor_view<T, 2> out) {
        std::int64_t const n = out.shape(1), h = re.shape(1);
        if (n == 0) return;
        detail::fft::real_transform<N, T> const f(n, reinterpret_cast<T*>(part.scratch));
        for (std::int64_t row = part.first; row < part.last; ++row)
            f.inverse(re.data() + row * h, im.data() + row * h, out.data() + row * n);
    }
    static constexpr void derive(derivation& d);
};
/// The terms k = 0 ... n/2 of the transform of real rows: [rows, n] → two of [rows, n/2 + 1].
template<std::int64_t N>
struct half_spectrum : kernel_op {
    static constexpr std::string_view name = "rfft";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.dims.extents[1] = r.dims.extents[1] / 2 + static_extent(1);
        return r;
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return real_transform_memory(v.dims(0).extents[1]); }
    static constexpr extent flops(kernel_operands const& v) { return transform_flops(v.dims(0)); }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 2> in, tensor_view<T, 2> out_re, tensor_view<T, 2> out_im) {
        std::int64_t const n = in.shape(1), h = out_re.shape(1);
        if (n == 0) {
            for (std::int64_t row = part.first; row < part.last; ++row) out_re.data()[row] = out_im.data()[row] = 0;
            return;
        }
        detail::fft::real_transform<N, T> const f(n, reinterpret_cast<T*>(part.scratch));
        for (std::int64_t row = part.first; row < part.last; ++row)
            f.forward(in.data() + row * n, out_re.data() + row * h, out_im.data() + row * h);
    }
    static constexpr void derive(derivation& d) {
        extent const n = d.info(0).dims.extents[1], half = n / 2 + static_extent(1);
        symbol const given = d.gradients[0].exists() ? d.gradients[0] : d.gradients[1];
        symbol const terms = terms_of_half(given, half, n), zero = given * 0_c;
        d.out[0] = apply_with<from_half_spectrum<N>>(shape_attributes({1, {n}}), d.gradients[0].exists() ? d.gradients[0] / terms : zero,
            d.gradients[1].exists() ? d.gradients[1] / terms : zero);
    }
};
template<std::int64_t N>
constexpr void from_half_spectrum<N>::derive(derivation& d) {
    extent const n = d.attrs->extents[0], half = d.info(0).dims.extents[1];
    symbol const whole = apply<half_spectrum<N>>(d.gradient), terms = terms_of_half(d.gradient, half, n);
    for (int k = 0; k < 2; ++k) d.out[k] = detail::output_of(whole, k) * terms;
}
}

namespace detail {
enum class fft_slip { none, no_expression, wrong, rank, type, length };
template<class A>
constexpr fft_slip fft_slip_of() {
    if constexpr (!Expr<A>) return fft_slip::no_expression;
    else {
        value_info const& v = value_of<A>;
        return v.wrong != fault::none ? fft_slip::wrong
               : v.dims.rank < 1      ? fft_slip::rank
               : !is_floating(v.type) ? fft_slip::type
                                      : fft_slip::none;
    }
}
/// Complex numbers as they are, real ones with imaginary parts of 0.
template<class Z>
constexpr auto as_complex(Z const& z) {
    if constexpr (Complex<Z>) return z;
    else return complex(z);
}
/// The expression that has the shape and the element type of a complex or real Z.
template<class Z>
struct parts_of {
    using type = Z;
};
template<Complex Z>
struct parts_of<Z> {
    using type = real_part_of<Z>;
};
template<extent N>
constexpr shape rows_of(shape const& s) {
    extent rows = static_extent(1);
    for (int i = 0; i + 1 < s.rank; ++i) rows = rows * s.extents[i];
    return {2, {rows, N}};
}
/// The parts of a transform of rows, in the shape of A with a last axis of N.
template<class A, extent N, class P>
constexpr auto from_rows(P const& parts) {
    constexpr shape s = detail::with_extent(value_of<A>.dims, value_of<A>.dims.rank - 1, N);
    return complex(reshaped_to<s>(std::get<0>(parts)), reshaped_to<s>(std::get<1>(parts)));
}
template<bool Inverse, class Z>
constexpr auto transformed(Z const& z) {
    using A = real_part_of<Z>;
    constexpr extent n = extent_from_end<A>(1);
    constexpr shape rows = rows_of<n>(value_of<A>.dims);
    return from_rows<A, n>(
        kernel_function<op::transform_rows<Inverse, op::known_length(n)>>{}(reshaped_to<rows>(real(z)), reshaped_to<rows>(imag(z))));
}
}

/// The discrete Fourier transform over the last axis: Σ_j z_j e^(−2πi jk / n). z is complex, or real numbers in float or
/// double. n is any length; lengths whose primes are at most 31 are faster. For another axis move it to the end first.
/// Source: NumPy's fft.fft.
/// Gradient: its transposed conjugate, ifft(g) n.
template<class Z>
constexpr auto fft(Z const& z) {
    constexpr auto slip = detail::fft_slip_of<typename detail::parts_of<Z>::type>();
    static_assert(slip != detail::fft_slip::rank, "xgrad::fft(z): z has no axis; write expand_dims<0>(z)");
    static_assert(slip != detail::fft_slip::type, "xgrad::fft(z): z is neither complex nor float nor double; write cast<float>(z)");
    if constexpr (slip == detail::fft_slip::no_expression) return detail::refuse_operand<Z>();
    else if constexpr (slip != detail::fft_slip::none) return detail::refused{};
    else return detail::transformed<false>(detail::as_complex(z));
}
/// The inverse of fft: Σ_k z_k e^(2πi jk / n) / n.
/// Gradient: fft(g) / n.
template<class Z>
constexpr auto ifft(Z const& z) {
    constexpr auto slip = detail::fft_slip_of<typename detail::parts_of<Z>::type>();
    static_assert(slip != detail::fft_slip::rank, "xgrad::ifft(z): z has no axis; write expand_dims<0>(z)");
    static_assert(slip != detail::fft_slip::type, "xgrad::ifft(z): z is neither complex nor float nor double; write cast<float>(z)");
    if constexpr (slip == detail::fft_slip::no_expression) return detail::refuse_operand<Z>();
    else if constexpr (slip != detail::fft_slip::none) return detail::refused{};
    else {
        auto const sums = detail::transformed<true>(detail::as_complex(z));
        return complex(apply<op::divide_by_length>(real(sums)), apply<op::divide_by_length>(imag(sums)));
    }
}
/// The terms 0 ... n/2 of the transform of real numbers; the others are their conjugates: complex [..., n/2 + 1] of
/// [..., n], in float or double. Source: NumPy's fft.rfft.
/// Gradient: the inverse transform of g, with each inner term counted once.
template<class A>
constexpr auto rfft(A const& x) {
    constexpr auto slip = detail::fft_slip_of<A>();
    static_assert(slip != detail::fft_slip::rank, "xgrad::rfft(x): x has no axis; write expand_dims<0>(x)");
    static_assert(slip != detail::fft_slip::type, "xgrad::rfft(x): x is neither float nor double; write fft(z) for complex numbers");
    if constexpr (slip == detail::fft_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::fft_slip::none) return detail::refused{};
    else {
        constexpr extent n = detail::extent_from_end<A>(1), half = n / 2 + static_extent(1);
        constexpr shape rows = detail::rows_of<n>(value_of<A>.dims);
        return detail::from_rows<A, half>(kernel_function<op::half_spectrum<op::known_length(n)>>{}(detail::reshaped_to<rows>(x)));
    }
}
/// The inverse of rfft: N real numbers of the terms 0 ... N/2. N is an integer or a named dimension, and N/2 + 1 the last
/// extent of z. The imaginary parts of the first term, and for even N of the last one, are not read. Source: NumPy's fft.irfft.
/// Gradient: rfft(g), with each inner term counted twice.
template<auto N, class Z>
constexpr auto irfft(Z const& z) {
    constexpr bool length = detail::are_extents<N>;
    static_assert(length, "xgrad::irfft<n>(z): n is not an integer of at least 0, or a named dimension; write irfft<256>(z)");
    static_assert(Complex<Z> || std::is_same_v<Z, detail::refused>,
        "xgrad::irfft<n>(z): z is not complex; write irfft<n>(complex(re, im)), or view_as_complex(x)");
    if constexpr (!length || !Complex<Z>) return detail::refused{};
    else {
        using A = detail::real_part_of<Z>;
        constexpr extent n = make_shape<N>().extents[0];
        constexpr bool fits = value_of<A>.dims.rank > 0 && detail::extent_from_end<A>(1) == n / 2 + static_extent(1);
        static_assert(fits, "xgrad::irfft<n>(z): the last extent of z is not n / 2 + 1; write another n, or slice z");
        if constexpr (!fits) return detail::refused{};
        else {
            constexpr shape rows = detail::rows_of<detail::extent_from_end<A>(1)>(value_of<A>.dims);
            constexpr shape s = detail::with_extent(value_of<A>.dims, value_of<A>.dims.rank - 1, n);
            auto const sums = kernel_function<with<op::from_half_spectrum<op::known_length(n)>, N>>{}(
                detail::reshaped_to<rows>(real(z)), detail::reshaped_to<rows>(imag(z)));
            return apply<op::divide_by_length>(detail::reshaped_to<s>(sums));
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
