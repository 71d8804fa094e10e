// SPDX-License-Identifier: MIT
// How a window of a convolution or a pool moves over the spatial axes of an array [batch, spatial..., channels].
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

/// A number for each spatial axis: `2` for all of them, `{2, 1}` for two axes.
struct per_axis {
    std::int64_t of[3];
    std::int64_t given;   // 1: the number is for all axes
    constexpr per_axis(std::int64_t all) : of{all, all, all}, given(1) {}
    constexpr per_axis(std::int64_t a, std::int64_t b) : of{a, b, b}, given(2) {}
    constexpr per_axis(std::int64_t a, std::int64_t b, std::int64_t c) : of{a, b, c}, given(3) {}
    constexpr std::int64_t operator[](int axis) const { return of[axis]; }
    constexpr bool fits(int axes) const { return given == 1 || given == axes; }
    constexpr bool at_least(std::int64_t least) const { return of[0] >= least && of[1] >= least && of[2] >= least; }
    constexpr bool operator==(per_axis const&) const = default;
};

/// The elements that are added around an array. `window_padding::valid` adds none. `window_padding::same` gives ceil(n / stride) places,
/// and its odd element is after the array (TensorFlow); with `window_padding::same_lower` it is before. `window_padding::causal` adds all
/// before the array. `window_padding{1}` and `window_padding{{1, 0}}` are numbers of elements on both sides, `window_padding{before,
/// after}` on each.
struct window_padding {
    enum class rule : std::int64_t { by_number, same, same_lower, causal };
    rule how;
    per_axis before, after;
    constexpr window_padding(per_axis both) : window_padding(both, both) {}
    constexpr window_padding(per_axis before_it, per_axis after_it) : how(rule::by_number), before(before_it), after(after_it) {}
    constexpr bool operator==(window_padding const&) const = default;
    static const window_padding valid, same, same_lower, causal;

private:
    constexpr explicit window_padding(rule r) : how(r), before(0), after(0) {}
};
inline constexpr window_padding window_padding::valid{per_axis(0)}, window_padding::same{rule::same},
    window_padding::same_lower{rule::same_lower}, window_padding::causal{rule::causal};

/// The steps of a window, the distance of its elements, and the padding:
/// `conv2d<window{.strides = 2, .padding = window_padding::same}>(x, w)`.
struct window {
    per_axis strides = 1;
    per_axis dilations = 1;
    window_padding padding = window_padding::valid;
    std::int64_t groups = 1;   // of channels; for convolutions
    constexpr bool operator==(window const&) const = default;
};

enum class window_slip { none, axes, stride, dilation, padding, unknown_extent, too_large };

/// A window along one spatial axis. Element k of place p is element p · stride + k · dilation − before of the array.
struct window_axis {
    std::int64_t size, stride, dilation, before, after;
    /// The elements that a window spans.
    constexpr std::int64_t span() const { return (size - 1) * dilation + 1; }
    /// The places of the window in an axis of `n` elements. Both are static, or the stride is 1.
    constexpr extent places(extent const& n) const {
        if (n.is_static()) return static_extent((n.constant + before + after - span()) / stride + 1);
        return n + static_extent(before + after - span() + 1);
    }
};

/// A window along all spatial axes, with its padding in numbers.
struct window_axes {
    std::int64_t count;   // of spatial axes
    window_axis at[3];
};

/// The window of `size` over `axes` spatial axes of `extents`. An extent is an integer unless the stride there is 1.
/// Returns the mistake if there is one.
constexpr window_slip resolve_window(window const& w, per_axis const& size, int axes, extent const* extents, window_axes& out) {
    out = {axes, {}};
    if (!w.strides.fits(axes) || !w.dilations.fits(axes) || !size.fits(axes) || !w.padding.before.fits(axes) || !w.padding.after.fits(axes))
        return window_slip::axes;
    if (!w.strides.at_least(1)) return window_slip::stride;
    if (!w.dilations.at_least(1)) return window_slip::dilation;
    if (!w.padding.before.at_least(0) || !w.padding.after.at_least(0)) return window_slip::padding;
    for (int i = 0; i < axes; ++i) {
        window_axis& a = out.at[i];
        extent const& n = extents[i];
        a = {size[i], w.strides[i], w.dilations[i], w.padding.before[i], w.padding.after[i]};
        if (!n.is_static() && a.stride != 1) return window_slip::unknown_extent;
        if (w.padding.how == window_padding::rule::causal) a.before = a.span() - 1;
        else if (w.padding.how != window_padding::rule::by_number) {
            std::int64_t const places = n.is_static() ? (n.constant + a.stride - 1) / a.stride : 0;
            std::int64_t const pad =
                n.is_static() ? std::max<std::int64_t>((places - 1) * a.stride + a.span() - n.constant, 0) : a.span() - 1;
            a.before = w.padding.how == window_padding::rule::same ? pad / 2 : (pad + 1) / 2;
            a.after = pad - a.before;
        }
        if (n.is_static() && n.constant + a.before + a.after < a.span()) return window_slip::too_large;
    }
    return window_slip::none;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
