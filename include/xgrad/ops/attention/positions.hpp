// SPDX-License-Identifier: MIT
// Positions as numbers for attention: sinusoids, and biases that grow with the distance.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/select.hpp>

#include <bit>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// base^(−i / n) for i < Count, in double. The base is given by its bits.
template<std::int64_t N, std::uint64_t Base, std::int64_t Count>
constexpr auto frequencies() {
    constexpr literal<Base> base{};
    return exp(cast<double>(positions_along<static_extent(Count)>{}) * (-log(cast<double>(base)) / whole_literal<N>));
}
constexpr shape one_axis(int rank, int axis, extent const& length) {
    shape s{rank, {}};
    for (int i = 0; i < rank; ++i) s.extents[i] = i == axis ? length : static_extent(1);
    return s;
}
/// 0, 1, ... along one of several axes, in double.
template<auto Length, int Rank, int Axis>
constexpr auto count_along() {
    constexpr extent length = make_shape<Length>().extents[0];
    return cast<double>(reshaped_to<one_axis(Rank, Axis, length)>(positions_along<length>{}));
}
/// The factors of ALiBi: 2^(−8 (h + 1) / n) for n heads, a power of two. Otherwise those of the power below, then every second one of
/// the power above.
template<std::int64_t Heads>
constexpr auto alibi_factors() {
    using namespace literals;
    constexpr std::int64_t power = [] {
        std::int64_t n = 1;
        while (2 * n <= Heads) n *= 2;
        return n;
    }();
    constexpr auto n = whole_literal<power>;
    auto const h = count_along<Heads, 3, 0>();
    auto const exponent = select(less(h, n), 8_c * (h + 1_c) / n, 4_c * (2_c * (h - n) + 1_c) / n);
    return exp(-0.693147180559945309_c * exponent);
}
template<std::int64_t Heads, auto... Extents>
constexpr bool are_alibi() {
    static_assert(Heads >= 1 && are_extents<Extents...>,
        "xgrad::alibi_bias<heads, length, keys>(): heads is below 1, or an extent is neither an integer of at least 0 nor a named "
        "dimension; write alibi_bias<8, 64, 64>()");
    return Heads >= 1 && are_extents<Extents...>;
}
}

/// The sinusoids of Vaswani and others 2017, [length, width]: sin(p / 10000^(2i / width)) in column 2i, and the cosine in 2i + 1. They
/// are added to the embeddings of a sequence. Angles are computed in double, by each call. Length is an integer or a named dimension.
/// Gradient: none.
template<auto Length, std::int64_t Width, Element T = float>
constexpr auto sinusoidal_positions() {
    using namespace literals;
    constexpr bool fits = detail::are_extents<Length> && Width >= 1;
    static_assert(fits,
        "xgrad::sinusoidal_positions<length, width>(): length is no extent, or width is below 1; write sinusoidal_positions<128, 64>()");
    if constexpr (!fits) return detail::refused{};
    else {
        auto const column = detail::count_along<Width, 2, 1>();
        auto const pair = floor(0.5_c * column);
        auto const rate = exp(pair * (-18.420680743952367_c / detail::whole_literal<Width>));   // 2 log(10000)
        auto const angle = detail::count_along<Length, 2, 0>() * rate;
        return cast<T>(select(equal(column, 2_c * pair), sin(angle), cos(angle)));
    }
}
/// The bias of ALiBi for scores [heads, length, keys]: −m |i − j| with m = 2^(−8 (h + 1) / heads) for head h (Press, Smith, Lewis 2021).
/// If the number of heads is no power of two, it has the factors of the paper's code. The bias of queries at the end of the keys is
/// that of causal_alibi_bias.
/// Gradient: none.
template<std::int64_t Heads, auto Length, auto Keys, Element T = float>
constexpr auto alibi_bias() {
    if constexpr (!detail::are_alibi<Heads, Length, Keys>()) return detail::refused{};
    else return cast<T>(-detail::alibi_factors<Heads>() * abs(detail::count_along<Length, 3, 1>() - detail::count_along<Keys, 3, 2>()));
}
/// The same for causal attention, as [heads, 1, keys]: m (j − keys + 1). It differs from −m (i − j) by a constant of each row, which
/// a softmax does not see. So it does not need the memory of all pairs.
/// Gradient: none.
template<std::int64_t Heads, auto Keys, Element T = float>
constexpr auto causal_alibi_bias() {
    using namespace literals;
    if constexpr (!detail::are_alibi<Heads, Keys>()) return detail::refused{};
    else {
        constexpr extent keys = make_shape<Keys>().extents[0];
        // The positions from the end, which are small where most weight is.
        return cast<T>(detail::alibi_factors<Heads>() * (detail::count_along<Keys, 3, 2>() - (detail::number_of<double, keys>() - 1_c)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
