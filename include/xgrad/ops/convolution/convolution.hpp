// SPDX-License-Identifier: MIT
// Convolutions of arrays [batch, spatial..., channels] with filters [size..., channels, out].
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/convolution/convolution_checks.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
constexpr bool is_by_channel(value_info const& w, std::int64_t groups, int axes) {
    return groups > 1 && w.dims.extents[axes] == static_extent(1);
}
constexpr window with_groups(window w, std::int64_t groups) {
    w.groups = groups;
    return w;
}
constexpr convolution_slip depthwise_slip(value_info const& x, value_info const& w, window const& how, int axes) {
    convolution_slip const slip = operands_slip(x, w, with_groups(how, 1), axes);
    if (slip != convolution_slip::none) return slip;
    if (how.groups != 1) return convolution_slip::groups;
    return x.dims.extents[axes + 1] == w.dims.extents[axes] ? convolution_slip::none : convolution_slip::channels;
}
template<int Axes, window How, class X, class W>
constexpr auto convolve(X const& x, W const& w) {
    if constexpr (!(Expr<X> && Expr<W>)) return refuse_convolution<convolution_slip::no_expression, X, W>();
    else {
        constexpr convolution_form form = form_of_convolution(value_of<X>, value_of<W>, How, Axes);
        if constexpr (form.slip != convolution_slip::none) return refuse_convolution<form.slip, X, W>();
        else return apply<with_window<op::convolution<is_by_channel(value_of<W>, How.groups, Axes)>, form.window, form.result>>(x, w);
    }
}
/// The filter [size..., channels, multiplier] of depthwise convolutions, as one of groups of one channel.
constexpr shape filter_of_groups(shape const& w, int axes) {
    shape r = w;
    if (w.rank != axes + 2) return r;
    r.extents[axes] = static_extent(1);
    r.extents[axes + 1] = w.extents[axes] * w.extents[axes + 1];
    return r;
}
template<int Axes, window How, class X, class W>
constexpr auto convolve_by_channel(X const& x, W const& w) {
    if constexpr (!(Expr<X> && Expr<W>)) return refuse_convolution<convolution_slip::no_expression, X, W>();
    else {
        constexpr convolution_slip slip = depthwise_slip(value_of<X>, value_of<W>, How, Axes);
        if constexpr (slip != convolution_slip::none) return refuse_convolution<slip, X, W>();
        else {
            constexpr window how = with_groups(How, value_of<W>.dims.extents[Axes].constant);
            return convolve<Axes, how>(x, reshaped_to<filter_of_groups(value_of<W>.dims, Axes)>(w));
        }
    }
}
}

/// The convolution of x [batch, height, width, channels] with w [height, width, channels / groups, out] (like TensorFlow): a
/// sum of products of each place of the window, which is not flipped. `conv2d<window{.strides = 2, .padding = window_padding::same}>(x, w)`
/// sets strides, dilations, zeros around x and groups of channels. Elements are float or double. The filter and the channels have
/// integers as extents; a spatial extent may be a named dimension where the stride is 1. Two named
/// spatial extents need a padding that keeps them, such as `same`; `valid` takes one. Sums of many terms are added in blocks.
///
/// Gradient: of x, the transposed convolution of g with w; of w, the sum of products of x and g over all places.
template<window How = window{}, class X, class W>
constexpr auto conv2d(X const& x, W const& w) {
    return detail::convolve<2, How>(x, w);
}
// catches conv2d(x, 8, 3), the numbers of a layer
template<class X, class... A>
    requires(sizeof...(A) > 1)
constexpr auto conv2d(X const&, A const&...) {
    static_assert(detail::never<X>,
        "xgrad::conv2d(x, w): there are more arguments than a picture and its filters; for a layer with variables write "
        "nn::conv2d<\"name\", 8, 3>(x)");
    return detail::refused{};
}
/// The same for x [batch, length, channels] and w [size, channels / groups, out].
///
/// Gradient: that of conv2d.
template<window How = window{}, class X, class W>
constexpr auto conv1d(X const& x, W const& w) {
    return detail::convolve<1, How>(x, w);
}
/// The same for x [batch, depth, height, width, channels] and w [depth, height, width, channels / groups, out].
///
/// Gradient: that of conv2d.
template<window How = window{}, class X, class W>
constexpr auto conv3d(X const& x, W const& w) {
    return detail::convolve<3, How>(x, w);
}

/// A convolution of each channel of x [batch, height, width, channels] with separate filters, w [height, width, channels, multiplier]
/// (TensorFlow's tf.nn.depthwise_conv2d): channel c · multiplier + m of the result is that of channel c with filter m. The window is that
/// of conv2d, with one group.
///
/// Gradient: that of conv2d.
template<window How = window{}, class X, class W>
constexpr auto depthwise_conv2d(X const& x, W const& w) {
    return detail::convolve_by_channel<2, How>(x, w);
}
/// The same for x [batch, length, channels] and w [size, channels, multiplier].
///
/// Gradient: that of conv2d.
template<window How = window{}, class X, class W>
constexpr auto depthwise_conv1d(X const& x, W const& w) {
    return detail::convolve_by_channel<1, How>(x, w);
}
/// `depthwise_conv2d<How>(x, depthwise)`, then conv2d with pointwise [1, 1, channels · multiplier, out] (TensorFlow's
/// tf.nn.separable_conv2d).
///
/// Gradient: those of both convolutions.
template<window How = window{}, class X, class D, class P>
constexpr auto separable_conv2d(X const& x, D const& depthwise, P const& pointwise) {
    return conv2d(depthwise_conv2d<How>(x, depthwise), pointwise);
}
/// The same for x [batch, length, channels], depthwise [size, channels, multiplier] and pointwise [1, channels · multiplier, out].
///
/// Gradient: those of both convolutions.
template<window How = window{}, class X, class D, class P>
constexpr auto separable_conv1d(X const& x, D const& depthwise, P const& pointwise) {
    return conv1d(depthwise_conv1d<How>(x, depthwise), pointwise);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
