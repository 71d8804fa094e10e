// SPDX-License-Identifier: MIT
// Noise in training: added, multiplied, or elements and channels that are dropped. eval(y) has none of it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/normalization/in_training.hpp>
#include <xgrad/ops/random.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class A, class R, int Axes = 0>
constexpr bool noise_takes() {
    if constexpr (!Expr<A> || !Expr<R>) return true;
    else {
        constexpr bool floating = value_of<A>.wrong != fault::none || is_floating(value_of<A>.type);
        constexpr bool number = value_of<R>.wrong != fault::none || value_of<R>.dims.rank == 0;
        constexpr bool axes = value_of<A>.wrong != fault::none || value_of<A>.dims.rank >= Axes;
        static_assert(
            floating, "xgrad::gaussian_noise<\"name\">(x, stddev) and other noise: x is neither float nor double; write cast<float>(x)");
        static_assert(number, "xgrad::gaussian_noise<\"name\">(x, stddev) and other noise: stddev or rate is no number; write 0.5_c, or an "
                              "input of rank 0");
        static_assert(axes,
            "xgrad::spatial_dropout<\"name\">(x, rate): x has fewer than three axes; give [examples, ..., channels], or write "
            "dropout<\"name\">(x, rate)");
        return floating && number && axes;
    }
}
template<class R>
consteval bool check_noise_rate() {
    constexpr bool in_range = is_rate<R>();
    static_assert(
        in_range, "xgrad::gaussian_dropout<\"name\">(x, rate), alpha_dropout, spatial_dropout: rate is outside of [0, 1); write 0.5_c");
    return in_range;
}
template<fixed_string Name, int... Axis, class A, class R, class... Shared>
constexpr auto kept_channels(A const& x, R const& rate, std::integer_sequence<int, Axis...>, Shared... shared) {
    // only the shape of the sum is read
    return apply<op::is_kept>(uniform_like<Name>(sum<(Axis + 1)...>(x, keep_dims), shared...), rate);
}
}

/// x + stddev n in training, with normal numbers n of mean 0 and variance 1, and x for inference (Keras' GaussianNoise).
/// stddev is a number: `gaussian_noise<"noise">(x, 0.1_c)`. The name selects the random streams, with the rules of
/// normal_like, `nn::shared` too.
/// Gradient: g.
template<fixed_string Name, class A, class R, std::same_as<nn::shared_tag>... Shared>
constexpr auto gaussian_noise(A const& x, R const& stddev, Shared... shared) {
    if constexpr (!Expr<A> || !Expr<R>) return detail::refuse_operand<A, R>();
    else if constexpr (!detail::noise_takes<A, R>()) return detail::refused{};
    else return in_training(x + stddev * normal_like<Name>(x, shared...), x);
}
/// x (1 + √(rate / (1 − rate)) n) in training, with normal numbers n, and x for inference (Keras' GaussianDropout;
/// Srivastava and others 2014): mean and variance are those of dropout with this rate. The rate is in [0, 1); of an input it
/// is not checked. The name is as for gaussian_noise.
/// Gradient: g (1 + √(rate / (1 − rate)) n).
template<fixed_string Name, class A, class R, std::same_as<nn::shared_tag>... Shared>
constexpr auto gaussian_dropout(A const& x, R const& rate, Shared... shared) {
    if constexpr (!Expr<A> || !Expr<R>) return detail::refuse_operand<A, R>();
    else if constexpr (!detail::noise_takes<A, R>() || !detail::check_noise_rate<R>()) return detail::refused{};
    else return in_training(x * (1_c + sqrt(rate / (1_c - rate)) * normal_like<Name>(x, shared...)), x);
}
/// Dropout for nets of selu in training, and x for inference (Klambauer and others 2017; Keras' AlphaDropout). A share
/// `rate` of the elements becomes −1.7581, the limit of selu. Then all are scaled and shifted, so that mean 0 and variance 1
/// stay. The rate is checked as that of dropout, and the name selects the random stream.
/// Gradient: a g where an element is kept, else 0, with a = 1 / √((1 − rate) (1 + 3.0909 rate)).
template<fixed_string Name, class A, class R, std::same_as<nn::shared_tag>... Shared>
constexpr auto alpha_dropout(A const& x, R const& rate, Shared... shared) {
    if constexpr (!Expr<A> || !Expr<R>) return detail::refuse_operand<A, R>();
    else if constexpr (!detail::noise_takes<A, R>() || !detail::check_noise_rate<R>()) return detail::refused{};
    else {
        auto const kept = apply<op::is_kept>(uniform_like<Name>(x, shared...), rate);
        auto const scale = 1_c / sqrt((1_c - rate) * (1_c + rate * 3.0909132922152945_c));   // the square of the limit
        return in_training(scale * select(kept, x, -1.7580993408473766_c) + scale * (1.7580993408473766_c * rate), x);
    }
}
/// Dropout of whole channels of x [examples, ..., channels] in training, and x for inference (Tompson and others 2015). A
/// channel of an example is zeroed with probability `rate`, and the others are divided by 1 − rate (Keras' SpatialDropout1D
/// to 3D). x has at least three axes. The rate is checked as that of dropout, and the name selects the random stream.
/// Gradient: g / (1 − rate) where the channel is kept, else 0.
template<fixed_string Name, class A, class R, std::same_as<nn::shared_tag>... Shared>
constexpr auto spatial_dropout(A const& x, R const& rate, Shared... shared) {
    if constexpr (!Expr<A> || !Expr<R>) return detail::refuse_operand<A, R>();
    else if constexpr (!detail::noise_takes<A, R, 3>() || !detail::check_noise_rate<R>()) return detail::refused{};
    else {
        auto const kept = detail::kept_channels<Name>(x, rate, std::make_integer_sequence<int, value_of<A>.dims.rank - 2>{}, shared...);
        return in_training(select(kept, x / (1_c - rate), 0_c), x);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
