// SPDX-License-Identifier: MIT
// Maxima over windows, their positions, and arrays with values put back at these positions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/pooling/pool_loops.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
// The first element of a window that equals its maximum gets the gradient. Comparing again is as fast as reading stored positions.

/// x, y = max_pool(x) and g like y: g at the first maximum of each window, summed.
struct max_pool_spread : kernel_op {
    using attributes = pool_axes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A)> known{A};
    static constexpr std::string_view name = "max_pool_gradient";
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>(), v.dims(1)) * static_extent(2); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[0]; }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<T const, 5> y,
        tensor_view<T const, 5> g, tensor_view<T, 5> out) {
        auto const n = x.shape(), m = y.shape();
        bool once = true;
        for (std::size_t i = 0; i < 3; ++i) once = once && a.at[i].covers(n[1 + i], m[1 + i]);
        if (!once) {
            std::int64_t const image = n[1] * n[2] * n[3] * n[4];
            std::fill(out.data() + part.first * image, out.data() + part.last * image, T(0));
        }
        if constexpr (!kinds_in<Axes>.overlapping) all<true>(a, part, x, y, g, out);
        else if constexpr (!kinds_in<Axes>.apart) all<false>(a, part, x, y, g, out);
        else if (once) all<true>(a, part, x, y, g, out);
        else all<false>(a, part, x, y, g, out);
    }
    static constexpr void derive(derivation& d);

private:
    template<bool Once, class Axes, class T>
    XGRAD_INLINE static void all(Axes const& a, kernel_part const& part, tensor_view<T const, 5> const& x, tensor_view<T const, 5> const& y,
        tensor_view<T const, 5> const& g, tensor_view<T, 5> const& out) {
        auto const n = x.shape(), m = y.shape();
        std::int64_t const rows = m[1] * m[2];
        T const *const px = x.data(), *const py = y.data(), *const pg = g.data();
        T* const po = out.data();
        each_window<kinds_in<Axes>>(a, n, m, part.first * rows, part.last * rows, [&](auto window, window_run const& r) {
            each_place<T, Once>(r, n[4], [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V const most = block.load(py + at), zero(T(0));
                V rest = block.load(pg + at);
                T const* const in = px + from;
                T* const to = po + from;
                window.each(e, [&](std::int64_t o) {
                    auto const here = block.load(in + o) == most;
                    V const add = math::select(here, rest, zero);
                    rest = math::select(here, zero, rest);
                    if constexpr (Once) block.store(to + o, add);
                    else block.store(to + o, block.load(to + o) + add);
                });
            });
        });
    }
};
/// x, y = max_pool(x) and z like x: z at the first maximum of each window.
struct max_pool_pick : kernel_op {
    using attributes = pool_axes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A)> known{A};
    static constexpr std::string_view name = "max_pool_pick";
    static constexpr bool in_order = true;
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>(), v.dims(1)); }
    static constexpr extent turns(kernel_operands const& v) { return pool_rows(v.dims(1)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[1]; }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<T const, 5> y,
        tensor_view<T const, 5> z, tensor_view<T, 5> out) {
        T const *const px = x.data(), *const py = y.data(), *const pz = z.data();
        T* const po = out.data();
        each_window<kinds_in<Axes>>(a, x.shape(), y.shape(), part.first, part.last, [&](auto window, window_run const& run) {
            each_place<T>(run, x.shape(4), [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V const most = block.load(py + at);
                V r(T(0));
                window.each_backwards(
                    e, [&](std::int64_t o) { r = math::select(block.load(px + from + o) == most, V(block.load(pz + from + o)), r); });
                block.store(po + at, r);
            });
        });
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[2]) d.out[2] = apply_with<max_pool_spread>(*d.attrs, d.operands[0], d.operands[1], d.gradient);
    }
};
constexpr void max_pool_spread::derive(derivation& d) {
    if (d.wanted[2]) d.out[2] = apply_with<max_pool_pick>(*d.attrs, d.operands[0], d.operands[1], d.gradient);
}
struct max_pool : kernel_op {
    using attributes = pool_axes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A)> known{A};
    static constexpr std::string_view name = "max_pool";
    static constexpr bool in_order = true;
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>(), v.dims(1)); }
    static constexpr extent turns(kernel_operands const& v) { return pool_rows(v.dims(1)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.as<attributes>().places_in(v[0].dims), fault::none};
    }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<T, 5> y) {
        T const* const px = x.data();
        T* const py = y.data();
        each_window<kinds_in<Axes>>(a, x.shape(), y.shape(), part.first, part.last, [&](auto window, window_run const& r) {
            each_place<T>(r, x.shape(4), [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V most(-std::numeric_limits<T>::infinity());
                window.each(e, [&](std::int64_t o) { most = math::max(V(block.load(px + from + o)), most); });
                block.store(py + at, most);
            });
        });
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply_with<max_pool_spread>(*d.attrs, d.operands[0], d.result, d.gradient); }
};
/// The position of the first maximum of each window in its image: (row · width + column) · channels + channel.
struct max_pool_positions : kernel_op {
    using attributes = pool_axes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A)> known{A};
    static constexpr std::string_view name = "max_pool_positions";
    static constexpr bool in_order = true;
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>(), v.dims(1)); }
    static constexpr extent turns(kernel_operands const& v) { return pool_rows(v.dims(1)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {dtype::int32, a.as<attributes>().places_in(v[0].dims), fault::none};
    }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<std::int32_t, 5> y) {
        auto const n = x.shape();
        std::int64_t const c = n[4], image = n[1] * n[2] * n[3] * c;
        each_window<kinds_in<Axes>>(a, n, y.shape(), part.first, part.last, [&](auto window, window_run const& r) {
            for (std::int64_t k = 0; k < r.places * c; ++k) {
                std::int64_t const from = r.from + k / c * r.apart + k % c;
                T most = -std::numeric_limits<T>::infinity();
                std::int64_t where = from;
                window.each(r.e, [&](std::int64_t o) {
                    if (T const v = x.data()[from + o]; v > most) {
                        most = v;
                        where = from + o;
                    }
                });
                y.data()[r.at + k] = static_cast<std::int32_t>(where % image);
            }
        });
    }
};
}

namespace detail {
/// A pool by the operation Op with the windows as its only attributes.
template<class Op>
struct pool_by {
    template<op::pool_axes Axes, class A>
    static constexpr auto of(A const& x) {
        return apply<with<Op, Axes>>(x);
    }
};
struct min_pool_by {
    template<op::pool_axes Axes, class A>
    static constexpr auto of(A const& x) {
        return -apply<with<op::max_pool, Axes>>(-x);
    }
};
/// An array of extents E... for images, with values at positions in each image, zeros elsewhere.
enum class unpool_slip { none, no_expression, wrong, rank, types, shapes, extents };
template<int Axes, class A, class B>
constexpr unpool_slip slip_of_unpool(per_axis const& extents) {
    if constexpr (!Expr<A> || !Expr<B>) return unpool_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return unpool_slip::wrong;
    else if (value_of<A>.dims.rank != Axes + 2) return unpool_slip::rank;
    else if (!has_gradient(value_of<A>.type) || !is_integer(value_of<B>.type)) return unpool_slip::types;
    else if (!(value_of<A>.dims == value_of<B>.dims)) return unpool_slip::shapes;
    else return extents.fits(Axes) && extents.at_least(1) ? unpool_slip::none : unpool_slip::extents;
}
template<int Axes, per_axis Extents, class A, class B>
constexpr auto unpooled(A const& y, B const& positions) {
    constexpr unpool_slip slip = slip_of_unpool<Axes, A, B>(Extents);
    static_assert(slip != unpool_slip::rank,
        "xgrad::max_unpool2d<extents>(y, positions): y does not have the axes [batch, spatial..., channels]; write reshape");
    static_assert(slip != unpool_slip::types,
        "xgrad::max_unpool2d<extents>(y, positions): y is not floating, or positions are not integers; write cast<float>(y), and the "
        "positions second");
    static_assert(slip != unpool_slip::shapes,
        "xgrad::max_unpool2d<extents>(y, positions): y and positions have different shapes; give both results of max_pool_with_argmax2d");
    static_assert(slip != unpool_slip::extents,
        "xgrad::max_unpool2d<extents>(y, positions): extents are not one positive integer for each spatial axis; write per_axis{8, 6}");
    if constexpr (slip == unpool_slip::no_expression) return refuse_operand<A, B>();
    else if constexpr (slip != unpool_slip::none) return refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr shape result = [] {
            shape r = value_of<A>.dims;
            for (int i = 0; i < Axes; ++i) r.extents[1 + i] = static_extent(Extents[i]);
            return r;
        }();
        constexpr extent one = static_extent(1), batch = s.extents[0];
        constexpr auto in_image = [](shape const& t) {
            extent n = static_extent(1);
            for (int i = 1; i < t.rank; ++i) n = n * t.extents[i];
            return n;
        };
        constexpr extent values = in_image(value_of<A>.dims), all = in_image(result);
        constexpr shape flat{4, {one, batch, values, one}};
        auto const zeros = repeated_to<shape{4, {one, batch, all, one}}>(constant<cpp_type_t<computed_type(value_of<A>.type)>, 0>);
        return reshaped_to<result>(apply<op::put_along<combine::update, true>>(zeros, reshaped_to<flat>(positions), reshaped_to<flat>(y)));
    }
}
template<int Axes, per_axis Size, pool_window W, class A>
constexpr auto pooled_with_positions(A const& x) {
    constexpr pool_plan p = plan_of_pool<A>(Axes, Size, W, false);
    if constexpr (p.slip != pool_slip::none) {
        auto const r = pooled<Axes, pool_by<op::max_pool>, Size, W, false>(x);
        return std::tuple{r, r};
    } else
        return std::tuple{
            pooled<Axes, pool_by<op::max_pool>, Size, W, false>(x), pooled<Axes, pool_by<op::max_pool_positions>, Size, W, false>(x)};
}
}

/// The maxima over windows of x [batch, n, channels] (float or double). Size and strides are numbers, or per_axis{...} for each
/// spatial axis. The window moves by its size; pool_window{...} says otherwise. Padding does not count. NaN is skipped, as in
/// TensorFlow. A window with nothing else is −inf. An extent that is a named dimension needs the stride 1.
/// Gradient: g at the first maximum of each window, in all ranks, as in PyTorch. TensorFlow's max_pool3d gives it to each one.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool1d(A const& x) {
    return detail::pooled<1, detail::pool_by<op::max_pool>, Size, W, false>(x);
}
/// The maxima over windows of x [batch, height, width, channels], as in max_pool1d: `max_pool2d<2>(x)`,
/// `max_pool2d<3, pool_window{.strides = 2, .padding = window_padding::same}>(x)`.
/// Gradient: that of max_pool1d.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool2d(A const& x) {
    return detail::pooled<2, detail::pool_by<op::max_pool>, Size, W, false>(x);
}
// catches max_pool2d<2, 2>(x)
template<per_axis Size, std::int64_t Stride, class A>
constexpr auto max_pool2d(A const&) {
    static_assert(detail::never<A>,
        "xgrad::max_pool2d<size, window>(x): the window is a number; for strides write max_pool2d<2, pool_window{.strides = 2}>(x)");
    return detail::refused{};
}
/// The maxima over windows of x [batch, depth, height, width, channels], as in max_pool1d.
/// Gradient: that of max_pool1d.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool3d(A const& x) {
    return detail::pooled<3, detail::pool_by<op::max_pool>, Size, W, false>(x);
}
/// The minima over windows of x [batch, height, width, channels]: −max_pool2d(−x).
/// Gradient: g at the first minimum of each window.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto min_pool2d(A const& x) {
    return detail::pooled<2, detail::min_pool_by, Size, W, false>(x);
}
/// The maxima over Places parts of each spatial axis: part i is floor(i n / places) to before ceil((i + 1) n / places) (PyTorch's
/// adaptive_max_pool1d). x is [batch, n, channels].
/// Gradient: g at the first maximum of each part.
template<per_axis Places, class A>
constexpr auto adaptive_max_pool1d(A const& x) {
    return detail::pooled<1, detail::pool_by<op::max_pool>, Places, pool_window{}, true>(x);
}
/// The same for x [batch, height, width, channels]: `adaptive_max_pool2d<per_axis{7, 5}>(x)`.
/// Gradient: that of adaptive_max_pool1d.
template<per_axis Places, class A>
constexpr auto adaptive_max_pool2d(A const& x) {
    return detail::pooled<2, detail::pool_by<op::max_pool>, Places, pool_window{}, true>(x);
}
/// The same for x [batch, depth, height, width, channels].
/// Gradient: that of adaptive_max_pool1d.
template<per_axis Places, class A>
constexpr auto adaptive_max_pool3d(A const& x) {
    return detail::pooled<3, detail::pool_by<op::max_pool>, Places, pool_window{}, true>(x);
}
/// max_pool2d and the positions of the first maxima, as a tuple: `auto [y, positions] = max_pool_with_argmax2d<2>(x)`. A position
/// is (row · width + column) · channels + channel of an image, int32 (TensorFlow's max_pool_with_argmax without the batch).
/// Gradient: of y, that of max_pool2d; of the positions none.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool_with_argmax2d(A const& x) {
    return detail::pooled_with_positions<2, Size, W>(x);
}
/// max_pool1d and the positions, as in max_pool_with_argmax2d.
/// Gradient: of y, that of max_pool1d; of the positions none.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool_with_argmax1d(A const& x) {
    return detail::pooled_with_positions<1, Size, W>(x);
}
/// max_pool3d and the positions, as in max_pool_with_argmax2d.
/// Gradient: of y, that of max_pool3d; of the positions none.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto max_pool_with_argmax3d(A const& x) {
    return detail::pooled_with_positions<3, Size, W>(x);
}
/// [batch, Extents, channels] with the values y at positions of max_pool_with_argmax1d, zeros elsewhere (PyTorch's max_unpool1d).
/// Of several values at one position the last one stays. A position outside of an image is a value_error.
/// Gradient: g at the positions, for values that stay.
template<per_axis Extents, class A, class B>
constexpr auto max_unpool1d(A const& y, B const& positions) {
    return detail::unpooled<1, Extents>(y, positions);
}
/// The same for images [batch, Extents..., channels]: `max_unpool2d<per_axis{8, 6}>(y, positions)`.
/// Gradient: that of max_unpool1d.
template<per_axis Extents, class A, class B>
constexpr auto max_unpool2d(A const& y, B const& positions) {
    return detail::unpooled<2, Extents>(y, positions);
}
/// The same for three spatial axes.
/// Gradient: that of max_unpool1d.
template<per_axis Extents, class A, class B>
constexpr auto max_unpool3d(A const& y, B const& positions) {
    return detail::unpooled<3, Extents>(y, positions);
}

// catches max_pool2d(x, 2), max_pool2d(x), max_pool2d<2>(x, window_padding::same)
#define XGRAD_REFUSED_POOL(name) \
    template<class A, class... B> \
    constexpr auto name(A const&, B const&...) { \
        return detail::refuse_pool_argument<A>(); \
    } \
    template<per_axis Size, pool_window W = pool_window{}, class A, class B, class... C> \
    constexpr auto name(A const&, B const&, C const&...) { \
        return detail::refuse_pool_argument<A>(); \
    }
XGRAD_REFUSED_POOL(max_pool1d)
XGRAD_REFUSED_POOL(max_pool2d)
XGRAD_REFUSED_POOL(max_pool3d)
XGRAD_REFUSED_POOL(min_pool2d)
#undef XGRAD_REFUSED_POOL

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
