// SPDX-License-Identifier: MIT
// Transposed convolutions of arrays [batch, spatial..., channels].
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/convolution/convolution_checks.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<int Axes, window How, per_axis OutputPadding, class X, class W>
constexpr auto convolve_back(X const& x, W const& w) {
    if constexpr (!(Expr<X> && Expr<W>)) return refuse_convolution<convolution_slip::no_expression, X, W>();
    else {
        constexpr convolution_form form = form_of_transpose(value_of<X>, value_of<W>, How, OutputPadding, Axes);
        if constexpr (form.slip != convolution_slip::none) return refuse_convolution<form.slip, X, W>();
        else {
            constexpr bool by_channel = How.groups > 1 && value_of<W>.dims.extents[Axes] == static_extent(1);
            return apply<with_window<op::convolution_input_gradient<by_channel>, form.window, form.result>>(x, w);
        }
    }
}
}

/// The transposed convolution of x [batch, height, width, channels] with w [height, width, out / groups, channels]: what the gradient of
/// conv2d is for its array (TensorFlow's tf.nn.conv2d_transpose). `conv2d_transpose<window{.strides = 2, .padding =
/// window_padding::same}>(x, w)` has twice the height and width. With n places, stride s and a window that spans k elements the extents
/// are those of Keras: n s for window_padding::same, (n − 1) s + max(k, s) for `valid`. With an output padding p ≥ 0,
/// `conv2d_transpose<how, 1>(x, w)`, they are (n − 1) s + k mod 2 + p and (n − 1) s + k + p elements. Paddings in numbers give
/// PyTorch's extent, (n − 1) s + k − before − after + p. That holds for all axes if a number of one of
/// them is not 0.
///
/// Gradient: of x, the convolution of g with w; of w, the sum of products of g and x over all places.
template<window How = window{}, per_axis OutputPadding = -1, class X, class W>
constexpr auto conv2d_transpose(X const& x, W const& w) {
    return detail::convolve_back<2, How, OutputPadding>(x, w);
}
/// The same for x [batch, length, channels] and w [size, out / groups, channels].
///
/// Gradient: that of conv2d_transpose.
template<window How = window{}, per_axis OutputPadding = -1, class X, class W>
constexpr auto conv1d_transpose(X const& x, W const& w) {
    return detail::convolve_back<1, How, OutputPadding>(x, w);
}
/// The same for x [batch, depth, height, width, channels] and w [depth, height, width, out / groups, channels].
///
/// Gradient: that of conv2d_transpose.
template<window How = window{}, per_axis OutputPadding = -1, class X, class W>
constexpr auto conv3d_transpose(X const& x, W const& w) {
    return detail::convolve_back<3, How, OutputPadding>(x, w);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
