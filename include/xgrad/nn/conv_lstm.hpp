// SPDX-License-Identifier: MIT
// An LSTM whose products are convolutions, for sequences of images.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/convolution.hpp>
#include <xgrad/nn/recurrent_layer.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class Layer, bool Emits>
struct conv_lstm_body : region {
    static constexpr auto value(auto h, auto c, auto in) {
        constexpr auto all = in + xgrad::conv2d<window{.padding = window_padding::same}>(h, Layer::u);
        constexpr auto next = lstm_states<Layer::filters>(
            all, c, [](auto const& x, auto) { return x; }, [](auto const& x, auto const&) { return x; });
        if constexpr (Emits) return carry(std::get<0>(next), std::get<1>(next)).emit(std::get<0>(next));
        else return carry(std::get<0>(next), std::get<1>(next));
    }
};
template<fixed_string Name, std::int64_t Filters, per_axis Size, class T>
struct conv_lstm_variables {
    static constexpr std::int64_t filters = Filters;
    static constexpr started_variable<start_at(1, start_form::orthogonal), join_names<Name, "u">(), T, true, Size[0], Size[1], Filters,
        4 * Filters>
        u{};
    static constexpr started_variable<start_at(1, start_form::second_quarter), join_names<Name, "b">(), T, true, 4 * Filters> b{};
};
/// The axes of [batch, time, ...] or [time, batch, ...] as one, and back.
template<class X>
constexpr auto as_images(X const& x) {
    constexpr shape s = value_of<X>.dims;
    return reshaped_to<shape{4, {s.extents[0] * s.extents[1], s.extents[2], s.extents[3], s.extents[4]}}>(x);
}
template<extent First, extent Second, class X>
constexpr auto as_sequence(X const& x) {
    constexpr shape s = value_of<X>.dims;
    return reshaped_to<shape{5, {First, Second, s.extents[1], s.extents[2], s.extents[3]}}>(x);
}
}

namespace nn {
/// The result of conv_lstm2d.
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How, bool Sequences, bool Shared, class X>
struct conv_lstm_layer : let<conv_lstm_layer<Name, Filters, Size, How, Sequences, Shared, X>>,
                         detail::conv_lstm_variables<Name, Filters, Size, detail::layer_element<X>> {
    using element = detail::layer_element<X>;
    static constexpr shape dims = value_of<X>.dims;
    /// The convolution of all time steps, without a bias.
    static constexpr auto images = [] {
        constexpr auto by_time = detail::as_images(transpose<1, 0, 2, 3, 4>(X{}));
        if constexpr (Shared) return conv2d<Name, 4 * Filters, Size, How, false>(by_time, shared);
        else return conv2d<Name, 4 * Filters, Size, How, false>(by_time);
    }();
    static constexpr auto w = images.w;
    static constexpr auto value() {
        if constexpr (Sequences) return transpose<1, 0, 2, 3, 4>(std::get<2>(loop()));
        else return std::get<0>(loop());
    }
    /// h and c after the last time step.
    static constexpr auto state() {
        constexpr auto all = loop();
        return std::tuple{std::get<0>(all), std::get<1>(all)};
    }

private:
    static constexpr auto loop() {
        constexpr auto in = detail::as_sequence<dims.extents[1], dims.extents[0]>(images + conv_lstm_layer::b);
        constexpr shape s = value_of<decltype(in)>.dims;
        constexpr auto zeros =
            detail::repeated_to<shape{4, {s.extents[1], s.extents[2], s.extents[3], static_extent(Filters)}}>(constant<element, 0>);
        return scan<detail::conv_lstm_body<conv_lstm_layer, Sequences>>(carry(zeros, zeros), in);
    }
};
}
namespace detail {
enum class conv_lstm_slip { none, wrong, type, rank, sizes };
template<class X>
constexpr conv_lstm_slip slip_of_conv_lstm(std::int64_t filters, per_axis const& size) {
    value_info const& x = value_of<X>;
    if (x.wrong != fault::none) return conv_lstm_slip::wrong;
    if (!has_gradient(x.type)) return conv_lstm_slip::type;
    if (x.dims.rank != 5 || !x.dims.extents[4].is_static()) return conv_lstm_slip::rank;
    return filters >= 1 && size.fits(2) && size.at_least(1) ? conv_lstm_slip::none : conv_lstm_slip::sizes;
}
template<class... A>
inline constexpr bool are_conv_lstm_arguments =
    sizeof...(A) <= 2 && ((std::is_same_v<A, nn::return_sequences_tag> || std::is_same_v<A, nn::shared_tag>)&&...) &&
    recurrent_arguments<0, A...> <= 1 && recurrent_arguments<1, A...> <= 1;
template<class... A>
inline constexpr bool is_conv_lstm_call = false;
template<class X, class... A>
inline constexpr bool is_conv_lstm_call<X, A...> = Expr<X> && are_conv_lstm_arguments<A...>;
template<class... A>
constexpr refused_recurrent<2> refuse_conv_lstm() {
    static_assert(sizeof...(A) == 0,
        "xgrad::nn::conv_lstm2d: name, filters and size are not alone in angle brackets, or an argument is unknown or twice; write "
        "conv_lstm2d<\"name\", 16, 3>(x, return_sequences)");
    return {};
}
}
namespace nn {

/// An LSTM of images (Shi et al. 2015, arXiv 1506.04214, without peepholes): x is [batch, time, height, width, channels], and the gates
/// i, f, c, o of Keras are conv2d<How>(x, w) + b + conv2d(h, u) with `same` padding. The variables are "Name/w" [Size..., channels, 4
/// Filters], "Name/u" [Size..., Filters, 4 Filters] and "Name/b" [4 Filters], which begins as that of nn::lstm. The result is h after
/// the last time step, [batch, rows, columns, Filters], or with `return_sequences` that of each, [batch, time, rows, columns, Filters].
/// `layer.state()` is the tuple of h and c after the last time step. `shared` takes the variables of another layer of this name (Keras'
/// ConvLSTM2D).
/// Gradient: that of the operations, of second order too.
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, Expr X, class... A>
    requires(detail::are_conv_lstm_arguments<A...>)
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv_lstm2d(X const&, A const&...) {
    using detail::conv_lstm_slip;
    constexpr auto slip = detail::slip_of_conv_lstm<X>(Filters, Size);
    static_assert(slip != conv_lstm_slip::type,
        "xgrad::nn::conv_lstm2d<name, filters, size>(x): x is neither float nor double; write cast<float>(x)");
    static_assert(slip != conv_lstm_slip::rank,
        "xgrad::nn::conv_lstm2d<name, filters, size>(x): x is not [batch, time, height, width, channels] with an integer of channels; write "
        "expand_dims or reshape");
    static_assert(slip != conv_lstm_slip::sizes,
        "xgrad::nn::conv_lstm2d<name, filters, size>(x): filters or the size are below 1, or the size has another number of axes; write "
        "conv_lstm2d<\"name\", 16, 3>(x)");
    if constexpr (slip != conv_lstm_slip::none) return detail::refused_recurrent<2>{};
    else {
        constexpr bool sequences = detail::recurrent_arguments<0, A...> > 0, is_shared = detail::recurrent_arguments<1, A...> > 0;
        using layer = conv_lstm_layer<Name, Filters, Size, How, sequences, is_shared, X>;
        if constexpr (std::is_base_of_v<detail::refused, std::remove_const_t<decltype(layer::images)>>)
            return detail::refused_recurrent<2>{};
        else return layer{};
    }
}
// catches conv_lstm2d(x, 16, 3), conv_lstm2d<"name", 16>(x), conv_lstm2d<"name", 16, 3>(x, lengths(n))
template<class X, class... A>
constexpr auto conv_lstm2d(X const&, A const&...) {
    return detail::refuse_conv_lstm<X, A...>();
}
template<fixed_string Name, auto... N, class... A>
    requires(sizeof...(N) < 2 || !detail::is_conv_lstm_call<A...>)
constexpr auto conv_lstm2d(A const&...) {
    return detail::refuse_conv_lstm<decltype(Name), A...>();
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
