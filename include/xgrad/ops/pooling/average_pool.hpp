// SPDX-License-Identifier: MIT
// Means, sums and p-norms over windows, and over all spatial axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/pooling/pool_loops.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// What a sum over a window is divided by: nothing, the number of its elements in the array, its size.
enum class pool_divisor : std::int64_t { none, elements, size };
struct average_pool_attributes {
    pool_axes axes;
    pool_divisor by;
    /// The number by which a window is divided. One without elements is 0 anyway.
    template<class T>
    XGRAD_INLINE T divisor(window_elements const& e) const {
        if (by == pool_divisor::elements) return static_cast<T>(std::max<std::int64_t>(e.size(), 1));
        if (by == pool_divisor::none) return T(1);
        std::int64_t n = 1;
        for (pool_axis const& a : axes.at) n *= a.window.size;
        return static_cast<T>(n);
    }
};
/// g of the places of windows, spread over their elements and summed. The attributes are followed by the extents of the array.
struct average_pool_spread : kernel_op {
    using attributes = average_pool_attributes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A.axes)> known{A};
    static constexpr std::string_view name = "average_pool_gradient";
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>().axes, v.dims(0)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.target(), fault::none};
    }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> g, tensor_view<T, 5> out) {
        auto const n = out.shape(), m = g.shape();
        bool once = true;
        for (std::size_t i = 0; i < 3; ++i) once = once && a.axes.at[i].covers(n[1 + i], m[1 + i]);
        if (!once) {
            std::int64_t const image = n[1] * n[2] * n[3] * n[4];
            std::fill(out.data() + part.first * image, out.data() + part.last * image, T(0));
        }
        if constexpr (!kinds_in<Axes>.overlapping) all<true>(a, part, g, out);
        else if constexpr (!kinds_in<Axes>.apart) all<false>(a, part, g, out);
        else if (once) all<true>(a, part, g, out);
        else all<false>(a, part, g, out);
    }
    static constexpr void derive(derivation& d);

private:
    template<bool Once, class Axes, class T>
    XGRAD_INLINE static void all(Axes const& a, kernel_part const& part, tensor_view<T const, 5> const& g, tensor_view<T, 5> const& out) {
        auto const n = out.shape(), m = g.shape();
        std::int64_t const rows = m[1] * m[2];
        T const* const pg = g.data();
        T* const po = out.data();
        each_window<kinds_in<Axes>>(a.axes, n, m, part.first * rows, part.last * rows, [&](auto window, window_run const& r) {
            T const share = T(1) / a.template divisor<T>(r.e);
            each_place<T, Once>(r, n[4], [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V const add = block.load(pg + at) * V(share);
                window.each(e, [&](std::int64_t o) {
                    if constexpr (Once) block.store(po + from + o, add);
                    else block.store(po + from + o, block.load(po + from + o) + add);
                });
            });
        });
    }
};
struct average_pool : kernel_op {
    using attributes = average_pool_attributes;
    template<attributes A>
    static constexpr known_pool<attributes, kinds_of(A.axes)> known{A};
    static constexpr std::string_view name = "average_pool";
    static constexpr bool in_order = true;
    static constexpr extent flops(kernel_operands const& v) { return pool_flops(v.attrs.as<attributes>().axes, v.dims(1)); }
    static constexpr extent turns(kernel_operands const& v) { return pool_rows(v.dims(1)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, a.as<attributes>().axes.places_in(v[0].dims), fault::none};
    }
    template<class Axes, class T>
    XGRAD_FLATTEN static void run(Axes const& a, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<T, 5> y) {
        T const* const px = x.data();
        T* const py = y.data();
        each_window<kinds_in<Axes>>(a.axes, x.shape(), y.shape(), part.first, part.last, [&](auto window, window_run const& r) {
            T const share = T(1) / a.template divisor<T>(r.e);
            each_place<T>(r, x.shape(4), [&](std::int64_t from, std::int64_t at, auto block, window_elements const& e) {
                using V = typename decltype(block)::V;
                V sum(T(0));
                window.each(e, [&](std::int64_t o) { sum = sum + block.load(px + from + o); });
                block.store(py + at, sum * V(share));
            });
        });
    }
    static constexpr void derive(derivation& d) {
        attribute_words<sizeof(attributes) / sizeof(std::uint64_t)> const w = to_words(d.attrs->as<attributes>());
        shape const& s = d.info(0).dims;
        d.out[0] = apply_with<average_pool_spread>(w.view(s.extents, s.rank), d.gradient);
    }
};
constexpr void average_pool_spread::derive(derivation& d) {
    auto const w = to_words(d.attrs->as<attributes>());
    d.out[0] = apply_with<average_pool>(w.view(), d.gradient);
}
}

namespace detail {
template<op::pool_divisor By>
struct average_by {
    template<op::pool_axes Axes, class A>
    static constexpr auto of(A const& x) {
        return apply<with<op::average_pool, op::average_pool_attributes{Axes, By}>>(x);
    }
};
/// Windows of ceil_mode end where the padding by number ends: they are windows of a padded array.
template<pool_window W, int Count>
struct average_of_padded {
    template<op::pool_axes Axes, class A>
    static constexpr auto of(A const& x) {
        constexpr auto after = [](int i) { return i - 3 + Count < 0 ? 0 : W.padding.after[i - 3 + Count]; };
        constexpr op::pool_axes inside = [&] {
            op::pool_axes r = Axes;
            for (int i = 0; i < 3; ++i) {
                r.at[i].window.before = 0;
                r.at[i].window.after -= after(i);
            }
            return r;
        }();
        return average_by<op::pool_divisor::elements>::template of<inside>(pad<Axes.at[0].window.before, after(0), 1>(
            pad<Axes.at[1].window.before, after(1), 2>(pad<Axes.at[2].window.before, after(2), 3>(x))));
    }
};
template<pool_window W, int Count>
using average_of = std::conditional_t<W.count_padding && W.ceil_mode && W.padding.how == window_padding::rule::by_number,
    average_of_padded<W, Count>, average_by<W.count_padding ? op::pool_divisor::size : op::pool_divisor::elements>>;

/// (Σ |x|^p)^(1/p) of windows. Where the sum is 0 the root has the gradient 0.
template<int P>
struct norm_by {
    template<op::pool_axes Axes, class A>
    static constexpr auto of(A const& x) {
        using namespace literals;
        constexpr auto sum = [](auto const& terms) {
            return apply<with<op::average_pool, op::average_pool_attributes{Axes, op::pool_divisor::none}>>(terms);
        };
        if constexpr (P == 1) return sum(abs(x));
        else {
            auto const s = [&] {
                if constexpr (P == 2) return sum(square(x));
                else return sum(pow(abs(x), whole_literal<P>));
            }();
            auto const positive = greater(s, 0_c);
            auto const root = [&] {
                if constexpr (P == 2) return sqrt(select(positive, s, 1_c));
                else return pow(select(positive, s, 1_c), 1_c / whole_literal<P>);
            }();
            return select(positive, root, s);   // NaN stays
        }
    }
};
enum class global_slip { none, no_expression, wrong, rank, type };
template<class A>
constexpr global_slip slip_of_global() {
    if constexpr (!Expr<A>) return global_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none) return global_slip::wrong;
    else if (value_of<A>.dims.rank < 3) return global_slip::rank;
    else return has_gradient(value_of<A>.type) ? global_slip::none : global_slip::type;
}
template<global_slip Slip>
constexpr void check_global() {
    static_assert(Slip != global_slip::rank,
        "xgrad: global_max_pool(x) or global_average_pool(x) gets an x with fewer than three axes; give it [batch, spatial..., channels]");
    static_assert(Slip != global_slip::type,
        "xgrad: global_max_pool(x) or global_average_pool(x) gets an x that is not floating; write cast<float>(x)");
}
}

/// The means over windows of x [batch, n, channels] (float or double). Elements of the padding do not count, as in TensorFlow.
/// With pool_window{.count_padding = true} the divisor is the size of the window (PyTorch's count_include_pad);
/// with ceil_mode too, it ends where the padding ends. Size, strides and
/// padding are those of max_pool1d. A window without elements is 0.
/// Gradient: g divided like the sum, to each element of a window, summed over windows.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto average_pool1d(A const& x) {
    return detail::pooled<1, detail::average_of<W, 1>, Size, W, false>(x);
}
/// The means over windows of x [batch, height, width, channels], as in average_pool1d.
/// Gradient: that of average_pool1d.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto average_pool2d(A const& x) {
    return detail::pooled<2, detail::average_of<W, 2>, Size, W, false>(x);
}
/// The means over windows of x [batch, depth, height, width, channels], as in average_pool1d.
/// Gradient: that of average_pool1d.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto average_pool3d(A const& x) {
    return detail::pooled<3, detail::average_of<W, 3>, Size, W, false>(x);
}
/// The sums over windows of x [batch, height, width, channels].
/// Gradient: g to each element of a window, summed over windows.
template<per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto sum_pool2d(A const& x) {
    return detail::pooled<2, detail::average_by<op::pool_divisor::none>, Size, W, false>(x);
}
/// The means over Places parts of each spatial axis of x [batch, n, channels], the parts of adaptive_max_pool1d (PyTorch's
/// adaptive_avg_pool1d).
/// Gradient: that of average_pool1d.
template<per_axis Places, class A>
constexpr auto adaptive_average_pool1d(A const& x) {
    return detail::pooled<1, detail::average_by<op::pool_divisor::elements>, Places, pool_window{}, true>(x);
}
/// The same for x [batch, height, width, channels]: `adaptive_average_pool2d<7>(x)`.
/// Gradient: that of average_pool1d.
template<per_axis Places, class A>
constexpr auto adaptive_average_pool2d(A const& x) {
    return detail::pooled<2, detail::average_by<op::pool_divisor::elements>, Places, pool_window{}, true>(x);
}
/// The same for x [batch, depth, height, width, channels].
/// Gradient: that of average_pool1d.
template<per_axis Places, class A>
constexpr auto adaptive_average_pool3d(A const& x) {
    return detail::pooled<3, detail::average_by<op::pool_divisor::elements>, Places, pool_window{}, true>(x);
}
/// (Σ |x|^P)^(1/P) over windows of x [batch, n, channels]: `lp_pool1d<2, 3>(x)` (ONNX's LpPool; PyTorch's lp_pool1d for x of one
/// sign). P is an integer of at least 1.
/// Gradient: that of the formula; 0 where all elements of a window are 0.
template<int P, per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto lp_pool1d(A const& x) {
    static_assert(P >= 1, "xgrad::lp_pool1d<p, size>(x): p is below 1; write lp_pool1d<2, 3>(x)");
    if constexpr (P < 1) return detail::refused{};
    else return detail::pooled<1, detail::norm_by<P>, Size, W, false>(x);
}
/// (Σ |x|^P)^(1/P) over windows of x [batch, height, width, channels], as in lp_pool1d.
/// Gradient: that of lp_pool1d.
template<int P, per_axis Size, pool_window W = pool_window{}, class A>
constexpr auto lp_pool2d(A const& x) {
    static_assert(P >= 1, "xgrad::lp_pool2d<p, size>(x): p is below 1; write lp_pool2d<2, 3>(x)");
    if constexpr (P < 1) return detail::refused{};
    else return detail::pooled<2, detail::norm_by<P>, Size, W, false>(x);
}
/// The means over all spatial axes of x [batch, spatial..., channels]: [batch, channels].
/// Gradient: g divided by the number of places, to each.
template<class A>
constexpr auto global_average_pool(A const& x) {
    using detail::global_slip;
    constexpr global_slip slip = detail::slip_of_global<A>();
    detail::check_global<slip>();
    if constexpr (slip == global_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != global_slip::none) return detail::refused{};
    else
        return []<int... K>(A const& all, std::integer_sequence<int, K...>) { return mean<(K + 1)...>(all); }(
                   x, std::make_integer_sequence<int, value_of<A>.dims.rank - 2>{});
}
/// The maxima over all spatial axes of x [batch, spatial..., channels]: [batch, channels].
/// Gradient: that of max: tied elements share g equally.
template<class A>
constexpr auto global_max_pool(A const& x) {
    using detail::global_slip;
    constexpr global_slip slip = detail::slip_of_global<A>();
    detail::check_global<slip>();
    if constexpr (slip == global_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != global_slip::none) return detail::refused{};
    else
        return []<int... K>(A const& all, std::integer_sequence<int, K...>) { return max<(K + 1)...>(all); }(
                   x, std::make_integer_sequence<int, value_of<A>.dims.rank - 2>{});
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
XGRAD_REFUSED_POOL(average_pool1d)
XGRAD_REFUSED_POOL(average_pool2d)
XGRAD_REFUSED_POOL(average_pool3d)
XGRAD_REFUSED_POOL(sum_pool2d)
#undef XGRAD_REFUSED_POOL

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
