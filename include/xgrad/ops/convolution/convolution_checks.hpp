// SPDX-License-Identifier: MIT
// The shapes of convolutions, what is refused, and the error sentences.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/convolution/convolution_op.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// `Op` with a window and the shape of its result.
template<class Op, op::windowed_op::attributes A, shape S>
struct with_window {};
template<class Op, op::windowed_op::attributes A, shape S>
struct op_traits<with_window<Op, A, S>> {
    using op = Op;
    static constexpr shape extents = S;
    static constexpr attributes attrs = xgrad::words_of<A>.view(extents.extents, extents.rank);
};

enum class convolution_slip {
    none,
    no_expression,
    wrong,
    type,
    types,
    rank,
    filter,
    channels,
    groups,
    axes,
    step,
    padding,
    named,
    large,
    output_padding
};
struct convolution_form {
    convolution_slip slip;
    op::windowed_op::attributes window;
    shape result;
};
constexpr convolution_slip slip_of(xgrad::window_slip s) {
    switch (s) {
    case xgrad::window_slip::none: return convolution_slip::none;
    case xgrad::window_slip::axes: return convolution_slip::axes;
    case xgrad::window_slip::stride:
    case xgrad::window_slip::dilation: return convolution_slip::step;
    case xgrad::window_slip::padding: return convolution_slip::padding;
    case xgrad::window_slip::unknown_extent: return convolution_slip::named;
    case xgrad::window_slip::too_large: break;
    }
    return convolution_slip::large;
}
/// What is the same for a convolution and a transposed one.
constexpr convolution_slip operands_slip(value_info const& x, value_info const& w, window const& how, int axes) {
    if (x.wrong != fault::none || w.wrong != fault::none) return convolution_slip::wrong;
    if (!is_floating(computed_type(x.type))) return convolution_slip::type;
    if (computed_type(x.type) != computed_type(w.type)) return convolution_slip::types;
    if (x.dims.rank != axes + 2 || w.dims.rank != axes + 2) return convolution_slip::rank;
    if (!w.dims.is_static() || !x.dims.extents[axes + 1].is_static()) return convolution_slip::filter;
    for (int i = 0; i < axes; ++i)
        if (w.dims.extents[i].constant < 1) return convolution_slip::filter;
    return how.groups < 1 || w.dims.extents[axes + 1].constant % how.groups != 0 ? convolution_slip::groups : convolution_slip::none;
}
constexpr per_axis sizes_of_filter(shape const& w, int axes) {
    per_axis size(w.extents[0].constant);
    for (int i = 0; i < axes; ++i) size.of[i] = w.extents[i].constant;
    return size;
}
constexpr op::windowed_op::attributes words_of_window(window_axes const& a, std::int64_t groups) {
    op::windowed_op::attributes r{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, groups};
    for (int i = 0; i < a.count; ++i) {
        r.strides[i] = a.at[i].stride;
        r.dilations[i] = a.at[i].dilation;
        r.before[i] = a.at[i].before;
    }
    return r;
}
constexpr convolution_form form_of_convolution(value_info const& x, value_info const& w, window const& how, int axes) {
    convolution_form r{operands_slip(x, w, how, axes), {}, {}};
    if (r.slip != convolution_slip::none) return r;
    if (!(x.dims.extents[axes + 1] == w.dims.extents[axes] * static_extent(how.groups))) {
        r.slip = convolution_slip::channels;
        return r;
    }
    window_axes moved{};
    r.slip = slip_of(resolve_window(how, sizes_of_filter(w.dims, axes), axes, x.dims.extents + 1, moved));
    if (r.slip != convolution_slip::none) return r;
    r.window = words_of_window(moved, how.groups);
    r.result = x.dims;
    for (int i = 0; i < axes; ++i) r.result.extents[i + 1] = moved.at[i].places(x.dims.extents[i + 1]);
    r.result.extents[axes + 1] = w.dims.extents[axes + 1];
    return r;
}
/// The extent of a transposed convolution along one axis. Keras' rules, and PyTorch's for paddings in numbers.
constexpr extent transposed_places(extent const& n, window_axis const& a, window const& how, std::int64_t output_padding) {
    extent const moved = n * static_extent(a.stride) - static_extent(a.stride);
    if (how.padding.how != window_padding::rule::by_number)
        return output_padding < 0 ? n * static_extent(a.stride) : moved + static_extent(a.span() % 2 + output_padding);
    constexpr per_axis zero(0);   // on each axis: a number on another one makes this axis PyTorch's too
    bool const valid = std::ranges::equal(how.padding.before.of, zero.of) && std::ranges::equal(how.padding.after.of, zero.of);
    std::int64_t const more = output_padding >= 0 ? output_padding : valid ? std::max<std::int64_t>(a.stride - a.span(), 0) : 0;
    return moved + static_extent(a.span() - a.before - a.after + more);
}
constexpr convolution_form form_of_transpose(
    value_info const& x, value_info const& w, window const& how, per_axis const& output_padding, int axes) {
    convolution_form r{operands_slip(x, w, how, axes), {}, {}};
    if (r.slip != convolution_slip::none) return r;
    if (!(x.dims.extents[axes + 1] == w.dims.extents[axes + 1])) r.slip = convolution_slip::channels;
    else if (!how.strides.fits(axes) || !how.dilations.fits(axes) || !how.padding.before.fits(axes) || !how.padding.after.fits(axes) ||
             !output_padding.fits(axes))
        r.slip = convolution_slip::axes;
    else if (!how.strides.at_least(1) || !how.dilations.at_least(1)) r.slip = convolution_slip::step;
    if (r.slip != convolution_slip::none) return r;
    r.result = x.dims;
    r.result.extents[axes + 1] = w.dims.extents[axes] * static_extent(how.groups);
    for (int i = 0; i < axes; ++i) {
        if (how.strides[i] > 1 && !x.dims.extents[i + 1].is_static()) r.slip = convolution_slip::named;
        window_axis const a{w.dims.extents[i].constant, how.strides[i], how.dilations[i], how.padding.before[i], how.padding.after[i]};
        r.result.extents[i + 1] = transposed_places(x.dims.extents[i + 1], a, how, output_padding[i]);
        if (r.result.extents[i + 1].is_static() && r.result.extents[i + 1].constant < 0) r.slip = convolution_slip::padding;
    }
    if (r.slip != convolution_slip::none) return r;
    window_axes moved{};
    r.slip = slip_of(resolve_window(how, sizes_of_filter(w.dims, axes), axes, r.result.extents + 1, moved));
    if (r.slip == convolution_slip::large) r.slip = convolution_slip::output_padding;
    for (int i = 0; i < axes && r.slip == convolution_slip::none; ++i)
        if (!(moved.at[i].places(r.result.extents[i + 1]) == x.dims.extents[i + 1])) r.slip = convolution_slip::output_padding;
    r.window = words_of_window(moved, how.groups);
    return r;
}
/// The error sentences, and what a refused call returns.
template<convolution_slip Slip, class... A>
constexpr auto refuse_convolution() {
    static_assert(Slip != convolution_slip::type,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: x is neither float nor double; write cast<float>(x)");
    static_assert(Slip != convolution_slip::types,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: the element types differ; write cast<float>(w)");
    static_assert(Slip != convolution_slip::rank,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: give x [batch, spatial..., channels] and w [size..., "
        "channels, out], with as many axes");
    static_assert(Slip != convolution_slip::filter,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: an extent of w or the channels of x are a named dimension or "
        "0; write integers there");
    static_assert(Slip != convolution_slip::channels,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: w has other channels than x has (in each of its groups); "
        "check both shapes");
    static_assert(Slip != convolution_slip::groups,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: groups is not a divisor of the last extent of w; write such "
        "a number");
    static_assert(Slip != convolution_slip::axes,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: a list in window{} has another number of entries than "
        "spatial axes; write one number");
    static_assert(Slip != convolution_slip::step,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: a stride or dilation of the window is below 1; write at "
        "least 1");
    static_assert(Slip != convolution_slip::padding,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: a padding is below 0, or larger than the result; write a "
        "smaller one, at least 0");
    static_assert(Slip != convolution_slip::named,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: a spatial extent is a named dimension where the stride is not "
        "1; write integers");
    static_assert(Slip != convolution_slip::large,
        "xgrad::conv1d, conv2d, conv3d, depthwise_conv2d (x, w) and the like: the window is larger than x with its padding; write "
        "window_padding::same or a smaller filter");
    static_assert(Slip != convolution_slip::output_padding,
        "xgrad::conv1d_transpose, conv2d_transpose, conv3d_transpose<window, output_padding>(x, w): a convolution of such a result would not "
        "have the shape of x; write at least 0 and less than the stride");
    if constexpr (Slip == convolution_slip::no_expression) return refuse_operand<A...>();
    else return refused{};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
