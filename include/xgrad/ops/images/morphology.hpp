// SPDX-License-Identifier: MIT
// Grey-scale dilation and erosion of images by a filter for each channel.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/images/patches.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
// Where the gradient of an image or a filter goes: to the first element of a window whose sum with the filter equals the maximum.

/// Calls f(offset in the image, offset in the filter) for the first maximum of each place and channel; `f` also gets the place.
template<class T, class F>
XGRAD_INLINE void each_first_maximum(window_axes const& a, std::int64_t image, std::array<std::int64_t, 4> const& n,
    std::array<std::int64_t, 4> const& m, T const* x, T const* filter, T const* y, F const& f) {
    std::int64_t const c = n[3];
    for (std::int64_t i = 0; i < m[1]; ++i)
        for (std::int64_t j = 0; j < m[2]; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                std::int64_t const place = ((image * m[1] + i) * m[2] + j) * c + k;
                bool found = false;
                each_patch_element(a, i, j, n[1], n[2], [&](std::int64_t pixel, std::int64_t at, bool inside) {
                    if (found || !inside) return;
                    std::int64_t const from = (image * n[1] * n[2] + pixel) * c + k;
                    if (x[from] + filter[at * c + k] != y[place]) return;
                    found = true;
                    f(from, at * c + k, place);
                });
            }
}
/// What a kernel of first maxima makes: the gradient of the image or of the filter, or the elements of such an array at the maxima.
enum class at_maxima : std::int64_t { spread_image, spread_filter, pick_image, pick_filter };
/// Operands: image, filter, dilation2d of them, and g like the result, or for pick an array like the image or the filter.
template<at_maxima What>
struct dilation_maxima : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = What == at_maxima::spread_image    ? "dilation2d_image_gradient"
                                             : What == at_maxima::spread_filter ? "dilation2d_filter_gradient"
                                             : What == at_maxima::pick_image    ? "dilation2d_pick_image"
                                                                                : "dilation2d_pick_filter";
    static constexpr bool of_filter = What == at_maxima::spread_filter,
                          picks = What == at_maxima::pick_image || What == at_maxima::pick_filter;
    static constexpr extent turns(kernel_operands const& v) { return of_filter ? static_extent(1) : v.dims(0).extents[0]; }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(2).size() * v.dims(1).extents[0] * v.dims(1).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[of_filter ? 1 : picks ? 2 : 0]; }
    template<class T, int R, int S>
    static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 3> filter,
        tensor_view<T const, 4> y, tensor_view<T const, R> g, tensor_view<T, S> out) {
        std::int64_t const images = of_filter ? x.shape(0) : part.last,
                           size = out.size() / (of_filter ? 1 : std::max<std::int64_t>(out.shape(0), 1));
        std::fill(out.data() + part.first * size, out.data() + part.last * size, T(0));
        for (std::int64_t b = of_filter ? 0 : part.first; b < images && part.first < part.last; ++b)
            each_first_maximum(
                a, b, x.shape(), y.shape(), x.data(), filter.data(), y.data(), [&](std::int64_t from, std::int64_t at, std::int64_t place) {
                    if constexpr (What == at_maxima::spread_image) out.data()[from] += g.data()[place];
                    else if constexpr (What == at_maxima::spread_filter) out.data()[at] += g.data()[place];
                    else out.data()[place] = g.data()[What == at_maxima::pick_image ? from : at];
                });
    }
    static constexpr void derive(derivation& d) {
        constexpr at_maxima back = What == at_maxima::spread_image    ? at_maxima::pick_image
                                   : What == at_maxima::spread_filter ? at_maxima::pick_filter
                                   : What == at_maxima::pick_image    ? at_maxima::spread_image
                                                                      : at_maxima::spread_filter;
        if (d.wanted[3]) d.out[3] = apply_with<dilation_maxima<back>>(*d.attrs, d.operands[0], d.operands[1], d.operands[2], d.gradient);
    }
};
struct dilation2d : kernel_op {
    using attributes = window_axes;
    static constexpr std::string_view name = "dilation2d";
    static constexpr bool in_order = true;
    static constexpr extent turns(kernel_operands const& v) { return v.dims(2).extents[0] * v.dims(2).extents[1]; }
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(2).size() * v.dims(1).extents[0] * v.dims(1).extents[1] * static_extent(2);
    }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        value_info r = v[0];
        for (int i = 0; i < 2; ++i) r.dims.extents[1 + i] = a.as<attributes>().at[i].places(r.dims.extents[1 + i]);
        return r;
    }
    template<class T>
    XGRAD_FLATTEN static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 3> filter, tensor_view<T, 4> y) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), m = y.shape(1), n = y.shape(2);
        T const *const px = x.data(), *const pf = filter.data();
        for (std::int64_t row = part.first; row < part.last; ++row)
            for (std::int64_t j = 0; j < n; ++j) {
                T* const to = y.data() + (row * n + j) * c;
                std::fill_n(to, c, -std::numeric_limits<T>::infinity());
                each_patch_element(a, row % m, j, h, w, [&](std::int64_t pixel, std::int64_t at, bool inside) {
                    if (!inside) return;
                    T const *const from = px + (row / m * h * w + pixel) * c, *const plus = pf + at * c;
                    xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                        using V = typename decltype(block)::V;
                        block.store(to + k, math::max(V(block.load(from + k) + block.load(plus + k)), V(block.load(to + k))));
                    });
                });
            }
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[0])
            d.out[0] = apply_with<dilation_maxima<at_maxima::spread_image>>(*d.attrs, d.operands[0], d.operands[1], d.result, d.gradient);
        if (d.wanted[1])
            d.out[1] = apply_with<dilation_maxima<at_maxima::spread_filter>>(*d.attrs, d.operands[0], d.operands[1], d.result, d.gradient);
    }
};
}

namespace detail {
enum class dilation_slip { none, no_expression, wrong, filter, window };
struct dilation_plan {
    dilation_slip slip;
    window_axes axes;
};
template<class A, class B, window W>
constexpr dilation_plan plan_of_dilation() {
    if constexpr (!Expr<A> || !Expr<B>) return {dilation_slip::no_expression, {}};
    else if constexpr (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return {dilation_slip::wrong, {}};
    else {
        shape const &x = value_of<A>.dims, &f = value_of<B>.dims;
        dilation_plan r{dilation_slip::filter, {}};
        if (x.rank != 4 || f.rank != 3 || !is_floating(value_of<A>.type) || value_of<A>.type != value_of<B>.type) return r;
        if (!(f.extents[2] == x.extents[3]) || !f.extents[0].is_static() || !f.extents[1].is_static()) return r;
        patch_plan const p = plan_of_patches(x, per_axis(f.extents[0].constant, f.extents[1].constant), W);
        r.axes = p.axes;
        r.slip = p.slip == patch_slip::none ? dilation_slip::none : dilation_slip::window;
        return r;
    }
}
template<dilation_slip Slip>
constexpr void check_dilation() {
    static_assert(Slip != dilation_slip::filter,
        "xgrad: dilation2d(x, filter) or erosion2d(x, filter): x is not [batch, height, width, channels], or the filter not [rows, columns, "
        "channels] of one floating type; write reshape or cast");
    static_assert(Slip != dilation_slip::window,
        "xgrad: dilation2d<window{...}>(x, filter) or erosion2d: the filter does not fit into x, or the window has numbers that are too small; "
        "write window_padding::same or other numbers");
}
}

/// The maxima over windows of x [batch, height, width, channels] plus a filter [rows, columns, channels] (TensorFlow's dilation2d):
/// `dilation2d<window{.padding = window_padding::same}>(x, filter)`. Padding does not count, and NaN is skipped.
/// Gradient: g at the first maximum of each window, of x and of the filter.
template<window W = window{}, class A, class B>
constexpr auto dilation2d(A const& x, B const& filter) {
    using detail::dilation_slip;
    constexpr detail::dilation_plan p = detail::plan_of_dilation<A, B, W>();
    detail::check_dilation<p.slip>();
    if constexpr (p.slip == dilation_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (p.slip != dilation_slip::none) return detail::refused{};
    else return apply<with<op::dilation2d, p.axes>>(x, filter);
}
/// The minima over windows of x [batch, height, width, channels] minus a mirrored filter [rows, columns, channels]: −dilation2d(−x,
/// the filter mirrored) (TensorFlow's erosion2d).
/// Gradient: g at the first minimum of each window, of x; −g at it, of the filter.
template<window W = window{}, class A, class B>
constexpr auto erosion2d(A const& x, B const& filter) {
    using detail::dilation_slip;
    constexpr detail::dilation_plan p = detail::plan_of_dilation<A, B, W>();
    detail::check_dilation<p.slip>();
    if constexpr (p.slip == dilation_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (p.slip != dilation_slip::none) return detail::refused{};
    else return -apply<with<op::dilation2d, p.axes>>(-x, flip<0, 1>(filter));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
