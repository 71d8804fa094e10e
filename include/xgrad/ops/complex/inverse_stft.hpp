// SPDX-License-Identifier: MIT
// Signals of overlapping parts, and of their transforms.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/complex/fft_axes.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct overlap_step {
    std::int64_t step;
};
/// Frames [rows, frames, length] of rows [rows, n], one each `step` elements. The attributes are followed by the extents of the result.
struct frames_of_rows : kernel_op {
    using attributes = overlap_step;
    static constexpr std::string_view name = "frames";
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.target(), fault::none};
    }
    template<class T>
    static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 2> x, tensor_view<T, 3> y) {
        std::int64_t const n = x.shape(1), frames = y.shape(1), length = y.shape(2);
        for (std::int64_t row = part.first; row < part.last; ++row)
            for (std::int64_t k = 0; k < frames; ++k) {
                T const* const from = x.data() + row * n + k * a.step;
                std::copy(from, from + length, y.data() + (row * frames + k) * length);
            }
    }
    static constexpr void derive(derivation& d);
};
/// Rows [rows, (frames − 1) step + length] in which frames [rows, frames, length] are added, one each `step` elements.
struct sum_of_frames : kernel_op {
    using attributes = overlap_step;
    static constexpr std::string_view name = "overlap_and_add";
    static constexpr int flops = 1;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        value_info r{v[0].type, {2, {v[0].dims.extents[0]}}, fault::none};
        r.dims.extents[1] = (v[0].dims.extents[1] - static_extent(1)) * static_extent(a.as<attributes>().step) + v[0].dims.extents[2];
        return r;
    }
    template<class T>
    static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 3> x, tensor_view<T, 2> y) {
        std::int64_t const n = y.shape(1), frames = x.shape(1), length = x.shape(2);
        std::fill(y.data() + part.first * n, y.data() + part.last * n, T(0));
        for (std::int64_t row = part.first; row < part.last; ++row)
            for (std::int64_t k = 0; k < frames; ++k) {
                T const* const from = x.data() + (row * frames + k) * length;
                T* const to = y.data() + row * n + k * a.step;
                for (std::int64_t i = 0; i < length; ++i) to[i] += from[i];
            }
    }
    static constexpr void derive(derivation& d) {
        shape const& s = d.info(0).dims;
        d.out[0] = apply_with<frames_of_rows>({d.attrs->words, s.extents, d.attrs->word_count, s.rank, 0, {}}, d.gradient);
    }
};
constexpr void frames_of_rows::derive(derivation& d) {   // rows end with their last frame
    d.out[0] = apply_with<sum_of_frames>({d.attrs->words, nullptr, d.attrs->word_count, 0, 0, {}}, d.gradient);
}
}

namespace detail {
enum class overlap_slip { none, no_expression, wrong, step, rank, type };
template<std::int64_t Step, class A>
constexpr overlap_slip slip_of_overlap() {
    if constexpr (!Expr<A>) return overlap_slip::no_expression;
    else {
        value_info const& v = value_of<A>;
        if (v.wrong != fault::none) return overlap_slip::wrong;
        if (Step < 1) return overlap_slip::step;
        if (v.dims.rank < 2) return overlap_slip::rank;
        return is_floating(v.type) ? overlap_slip::none : overlap_slip::type;
    }
}
template<std::int64_t Length, std::int64_t Step, class W>
constexpr bool is_stft_window() {
    if constexpr (!Expr<W>) return true;
    else {
        value_info const& w = value_of<W>;
        return w.wrong != fault::none ||
               (Length >= 1 && Step >= 1 && is_floating(w.type) && w.dims.rank == 1 && w.dims.extents[0] == static_extent(Length));
    }
}
/// w divided by the sum of the squares of w that meet at each element if a window begins each Step elements.
template<std::int64_t Length, std::int64_t Step, class W>
constexpr auto inverted_window(W const& w) {
    constexpr std::int64_t overlaps = (Length + Step - 1) / Step;
    auto const squares = sum<0>(reshape<overlaps, Step>(pad<0, overlaps * Step - Length>(square(w))));
    return divide_no_nan(w, slice<0, 0, Length>(tile<overlaps>(squares)));
}
template<std::int64_t Length, std::int64_t Step, class Z>
constexpr bool is_stft() {
    if constexpr (!Complex<Z>) return std::is_same_v<Z, refused>;
    else {
        shape const& s = value_of<real_part_of<Z>>.dims;
        return Length >= 1 && Step >= 1 && s.rank >= 2 && s.extents[s.rank - 1] == static_extent(Length / 2 + 1);
    }
}
}

/// The sum of overlapping frames [..., frames, length], one each Step elements: [..., (frames − 1) Step + length] (TensorFlow's
/// signal.overlap_and_add). The number of frames may be a named dimension. It is the transpose of frame<length, Step>(x).
/// Gradient: the frames of g.
template<std::int64_t Step, class A>
constexpr auto overlap_and_add(A const& frames) {
    using detail::overlap_slip;
    constexpr auto slip = detail::slip_of_overlap<Step, A>();
    static_assert(slip != overlap_slip::step, "xgrad::overlap_and_add<step>(frames): step is below 1; write an integer of at least 1");
    static_assert(
        slip != overlap_slip::rank, "xgrad::overlap_and_add<step>(frames): frames have fewer than two axes; give [..., frames, length]");
    static_assert(slip != overlap_slip::type, "xgrad::overlap_and_add<step>(frames): frames are not floating; write cast<float>(frames)");
    if constexpr (slip == overlap_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != overlap_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr extent rows = detail::size_between(s, 0, s.rank - 2);
        constexpr shape result = [] {
            shape r = value_of<A>.dims;
            extent const frames_there = r.extents[r.rank - 2], length = r.extents[r.rank - 1];
            r.extents[--r.rank - 1] = (frames_there - static_extent(1)) * static_extent(Step) + length;
            return r;
        }();
        constexpr shape flat{3, {rows, s.extents[s.rank - 2], s.extents[s.rank - 1]}};
        return detail::reshaped_to<result>(apply<with<op::sum_of_frames, op::overlap_step{Step}>>(detail::reshaped_to<flat>(frames)));
    }
}
/// The window [Length] for istft that inverts stft<Length, Step>(x, w): w divided by the sum of the squares of w that meet at an element
/// (TensorFlow's signal.inverse_stft_window_fn). It is 0 where all of them are 0, in TensorFlow NaN.
/// Gradient: that of the formula.
template<std::int64_t Length, std::int64_t Step, class W>
constexpr auto inverse_stft_window(W const& w) {
    constexpr bool fits = detail::is_stft_window<Length, Step, W>();
    static_assert(fits,
        "xgrad::inverse_stft_window<length, step>(w): length or step is below 1, or w is not floating [length]; write hann_window<256>()");
    if constexpr (!Expr<W>) return detail::refuse_operand<W>();
    else if constexpr (!fits || value_of<W>.wrong != fault::none) return detail::refused{};
    else return detail::inverted_window<Length, Step>(w);
}
/// The same for the periodic Hann window of stft<Length, Step>(x), as float or T.
/// Gradient: none.
template<std::int64_t Length, std::int64_t Step, Element T = float>
constexpr auto inverse_stft_window() {
    return inverse_stft_window<Length, Step>(hann_window<Length, T>());
}
/// The signal [..., (frames − 1) Step + Length] of short-time transforms z, complex [..., frames, Length/2 + 1]:
/// overlap_and_add<Step>(irfft<Length>(z) * weights) with the window `weights` [Length] (TensorFlow's signal.inverse_stft with fft_length =
/// Length).
/// Gradient: that of irfft, of the product and of overlap_and_add.
template<std::int64_t Length, std::int64_t Step, class Z, class W>
constexpr auto istft(Z const& z, W const& weights) {
    constexpr bool fits = detail::is_stft<Length, Step, Z>(), window = detail::is_stft_window<Length, Step, W>();
    static_assert(fits,
        "xgrad::istft<length, step>(z): length or step is below 1, or z is not complex [..., frames, length / 2 + 1]; write the numbers of "
        "stft<length, step>(x)");
    static_assert(!fits || window,
        "xgrad::istft<length, step>(z, weights): weights are not floating [length]; write inverse_stft_window<length, step>()");
    if constexpr (!fits || !Complex<Z>) return detail::refused{};
    else if constexpr (!Expr<W>) return detail::refuse_operand<W>();
    else if constexpr (!window || value_of<W>.wrong != fault::none) return detail::refused{};
    else return overlap_and_add<Step>(irfft<Length>(z) * weights);
}
/// The same with inverse_stft_window<Length, Step>(): istft(stft<Length, Step>(x)) is x, except at the ends, where fewer windows meet.
/// Gradient: that of irfft, of the product and of overlap_and_add.
template<std::int64_t Length, std::int64_t Step, class Z>
constexpr auto istft(Z const& z) {
    constexpr bool fits = detail::is_stft<Length, Step, Z>();
    static_assert(fits,
        "xgrad::istft<length, step>(z): length or step is below 1, or z is not complex [..., frames, length / 2 + 1]; write the numbers of "
        "stft<length, step>(x)");
    if constexpr (!fits || !Complex<Z>) return detail::refused{};
    else return istft<Length, Step>(z, inverse_stft_window<Length, Step, cpp_type_t<value_of<detail::real_part_of<Z>>.type>>());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
