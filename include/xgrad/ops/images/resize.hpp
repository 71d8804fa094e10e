// SPDX-License-Identifier: MIT
// Images and sequences in another size, with the coordinate rules of TensorFlow and PyTorch.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/pooling/pool_loops.hpp>
#include <xgrad/ops/reduce.hpp>

#include <cmath>

XGRAD_NAMESPACE_BEGIN

/// How an element between others is computed. `bicubic` is TensorFlow's: a = −½ with half_pixel, where elements beyond the border have no
/// weight, and −¾ with other coordinates; distances are rounded to 1/1024. `bicubic_torch` is PyTorch's: a = −¾, the border is repeated.
/// `area` is the mean of the part of the image that the element covers.
enum class interpolation : std::int64_t { nearest, bilinear, bicubic, bicubic_torch, area };
/// Where element i of m is among n elements: `half_pixel` at (i + ½) n / m − ½, `align_corners` at i (n − 1) / (m − 1), `asymmetric` at
/// i n / m, as in TensorFlow 1.x without options.
enum class coordinates : std::int64_t { half_pixel, align_corners, asymmetric };

namespace op {
struct resize_attributes {
    interpolation how;
    coordinates rule;
};
/// The elements that make one element, and their weights. For interpolation::area, at[0] is the first, at[1] the number of elements and
/// at[2] the last one; weight[0] and weight[1] are the bounds, weight[2] the factor.
template<class T>
struct resize_taps {
    std::int64_t at[4];
    T weight[4];

    XGRAD_INLINE T area_weight(std::int64_t k) const {
        T const low = static_cast<T>(at[0] + k);
        return (std::min(low + T(1), weight[1]) - std::max(low, weight[0])) * weight[2];
    }
};
template<class T>
constexpr T cubic_weight(T a, T x) {   // of distance x, Keys 1981
    return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}
template<class T>
inline resize_taps<T> taps_of(resize_attributes const& a, std::int64_t i, std::int64_t n, std::int64_t m) {
    resize_taps<T> r{};
    bool const half = a.rule == coordinates::half_pixel;
    T const scale = a.rule == coordinates::align_corners && m > 1 ? static_cast<T>(n - 1) / static_cast<T>(m - 1)
                                                                  : static_cast<T>(n) / static_cast<T>(m);
    auto const inside = [n](std::int64_t k) { return std::clamp<std::int64_t>(k, 0, n - 1); };
    if (a.how == interpolation::nearest) {
        T const x = half ? (static_cast<T>(i) + T(0.5)) * scale : static_cast<T>(i) * scale;
        r.at[0] = inside(static_cast<std::int64_t>(a.rule == coordinates::align_corners ? std::round(x) : std::floor(x)));
        r.weight[0] = 1;
        return r;
    }
    if (a.how == interpolation::area) {
        T const low = static_cast<T>(i) * scale, high = static_cast<T>(i + 1) * scale;
        r.at[0] = inside(static_cast<std::int64_t>(std::floor(low)));
        r.at[1] = static_cast<std::int64_t>(std::ceil(high)) - r.at[0];
        r.at[2] = n - 1;   // repeated, as in TensorFlow
        r.weight[0] = low;
        r.weight[1] = high;
        r.weight[2] = T(1) / scale;
        return r;
    }
    T const x = half ? (static_cast<T>(i) + T(0.5)) * scale - T(0.5) : static_cast<T>(i) * scale, below = std::floor(x);
    auto const first = static_cast<std::int64_t>(below);
    T t = x - below;
    if (a.how == interpolation::bilinear) {
        r.at[0] = inside(first);
        r.at[1] = std::max<std::int64_t>(std::min(static_cast<std::int64_t>(std::ceil(x)), n - 1), 0);
        r.weight[0] = T(1) - t;
        r.weight[1] = t;
        return r;
    }
    bool const rounded = a.how == interpolation::bicubic;
    if (rounded) t = std::nearbyint(t * T(1024)) / T(1024);
    T const c = rounded && half ? T(-0.5) : T(-0.75), distance[4]{t + 1, t, 1 - t, 2 - t};
    T sum = 0;
    for (std::int64_t k = 0; k < 4; ++k) {
        r.at[k] = inside(first - 1 + k);
        r.weight[k] = rounded && half && r.at[k] != first - 1 + k ? T(0) : cubic_weight(c, distance[k]);
        sum += r.weight[k];
    }
    if (rounded && half)
        for (T& w : r.weight) w /= sum;
    return r;
}
/// The elements of one axis: offsets in memory and weights, as many as are known. An area has any number.
template<int Taps, class T>
struct tap_line {
    std::int64_t at[Taps];
    T weight[Taps];
    XGRAD_INLINE tap_line(resize_taps<T> const& r, std::int64_t apart) {
        for (int k = 0; k < Taps; ++k) {
            at[k] = r.at[k] * apart;
            weight[k] = r.weight[k];
        }
    }
    /// Calls f(offset, weight).
    template<class F>
    XGRAD_INLINE void each(F const& f) const {
        [&]<int... K>(std::integer_sequence<int, K...>) { (f(at[K], weight[K]), ...); }(std::make_integer_sequence<int, Taps>{});
    }
};
template<class T>
struct tap_line<0, T> {
    resize_taps<T> const& taps;
    std::int64_t apart;
    XGRAD_INLINE tap_line(resize_taps<T> const& r, std::int64_t apart_) : taps(r), apart(apart_) {}
    template<class F>
    XGRAD_INLINE void each(F const& f) const {
        for (std::int64_t k = 0; k < taps.at[1]; ++k) f(std::min(taps.at[0] + k, taps.at[2]) * apart, taps.area_weight(k));
    }
};
template<class F>
XGRAD_INLINE void with_taps(interpolation how, F const& f) {
    switch (how) {
    case interpolation::nearest: return f(std::integral_constant<int, 1>{});
    case interpolation::bilinear: return f(std::integral_constant<int, 2>{});
    case interpolation::area: return f(std::integral_constant<int, 0>{});
    default: return f(std::integral_constant<int, 4>{});
    }
}
constexpr std::int64_t flops_of_taps(interpolation how) {
    return how == interpolation::nearest ? 1 : how == interpolation::bilinear ? 8 : 32;
}
constexpr attributes with_sizes(attribute_words<2> const& w, shape const& s) { return w.view(s.extents + 1, 2); }
struct resize_images;
/// The transposed resize: g of [b, m, n, c] on images of the extents in the attributes.
struct resize_spread : kernel_op {
    using attributes = resize_attributes;
    static constexpr std::string_view name = "resize_gradient";
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(0).size() * static_extent(flops_of_taps(v.attrs.as<attributes>().how));
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return v.dims(0).extents[2] * static_extent(64); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        value_info r = v[0];
        for (int i = 0; i < 2; ++i) r.dims.extents[1 + i] = a.extents[i];
        return r;
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> g, tensor_view<T, 4> x) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), m = g.shape(1), n = g.shape(2);
        if (h * w == 0) return;
        auto* const columns = reinterpret_cast<resize_taps<T>*>(part.scratch);
        for (std::int64_t j = 0; j < n && part.first < part.last; ++j) columns[j] = taps_of<T>(a, j, w, n);
        for (std::int64_t b = part.first; b < part.last; ++b) {
            T* const image = x.data() + b * h * w * c;
            std::fill(image, image + h * w * c, T(0));
            with_taps(a.how, [&](auto taps) {
                for (std::int64_t i = 0; i < m; ++i) {
                    resize_taps<T> const of_row = taps_of<T>(a, i, h, m);
                    tap_line<taps.value, T> const row(of_row, w * c);
                    T const* from = g.data() + (b * m + i) * n * c;
                    for (std::int64_t j = 0; j < n; ++j, from += c) {
                        tap_line<taps.value, T> const column(columns[j], c);
                        xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                            using V = typename decltype(block)::V;
                            V const given = block.load(from + k);
                            row.each([&](std::int64_t y, T wy) {
                                V const part_of_row = given * V(wy);
                                column.each([&](std::int64_t z, T wx) {
                                    T* const to = image + y + z + k;
                                    block.store(to, block.load(to) + part_of_row * V(wx));
                                });
                            });
                        });
                    }
                }
            });
        }
    }
    static constexpr void derive(derivation& d);
};
/// x [b, h, w, c] in the size of the attributes.
struct resize_images : kernel_op {
    using attributes = resize_attributes;
    static constexpr std::string_view name = "resize";
    static constexpr bool in_order = true;
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(1).size() * static_extent(flops_of_taps(v.attrs.as<attributes>().how));
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0] * v.dims(1).extents[1]; }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return v.dims(1).extents[2] * static_extent(64); }
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a, int output) {
        return resize_spread::infer(v, count, a, output);
    }
    template<class T>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T, 4> y) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), m = y.shape(1), n = y.shape(2);
        if (h * w == 0) {
            std::fill(y.data() + part.first * n * c, y.data() + part.last * n * c, T(0));
            return;
        }
        auto* const columns = reinterpret_cast<resize_taps<T>*>(part.scratch);
        for (std::int64_t j = 0; j < n && part.first < part.last; ++j) columns[j] = taps_of<T>(a, j, w, n);
        T const* const px = x.data();
        T* const py = y.data();
        with_taps(a.how, [&](auto taps) {
            for (std::int64_t turn = part.first; turn < part.last; ++turn) {
                resize_taps<T> const of_row = taps_of<T>(a, turn % m, h, m);
                tap_line<taps.value, T> const row(of_row, w * c);
                T const* const image = px + turn / m * h * w * c;
                T* to = py + turn * n * c;
                for (std::int64_t j = 0; j < n; ++j, to += c) {
                    tap_line<taps.value, T> const column(columns[j], c);
                    xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                        using V = typename decltype(block)::V;
                        V sum(T(0));
                        row.each([&](std::int64_t u, T wy) {
                            V line(T(0));
                            column.each([&](std::int64_t z, T wx) { line = line + block.load(image + u + z + k) * V(wx); });
                            sum = sum + line * V(wy);
                        });
                        block.store(to + k, sum);
                    });
                }
            }
        });
    }
    static constexpr void derive(derivation& d) {
        auto const words = to_words(d.attrs->as<attributes>());
        d.out[0] = apply_with<resize_spread>(with_sizes(words, d.info(0).dims), d.gradient);
    }
};
constexpr void resize_spread::derive(derivation& d) {
    auto const words = to_words(d.attrs->as<attributes>());
    d.out[0] = apply_with<resize_images>(with_sizes(words, d.info(0).dims), d.gradient);
}
}

namespace detail {
enum class image_slip { none, no_expression, wrong, rank, type, sizes };
template<int Axes, class A>
constexpr image_slip slip_of_image(bool sizes) {
    switch (slip_of_images<A>(Axes)) {
    case pool_slip::no_expression: return image_slip::no_expression;
    case pool_slip::wrong: return image_slip::wrong;
    case pool_slip::rank: return image_slip::rank;
    case pool_slip::type: return image_slip::type;
    default: return sizes ? image_slip::none : image_slip::sizes;
    }
}
template<image_slip Slip>
constexpr void check_resize() {
    static_assert(Slip != image_slip::rank,
        "xgrad: resize2d<height, width>(x), resize1d<n>(x) or upsample_nearest2d<factor>(x) gets an x with another number of axes; give "
        "[batch, height, width, channels] or [batch, n, channels]");
    static_assert(Slip != image_slip::type,
        "xgrad: resize2d<height, width>(x), resize1d<n>(x) or upsample_nearest2d<factor>(x) gets an x that is not floating; write "
        "cast<float>(x)");
    static_assert(Slip != image_slip::sizes,
        "xgrad: a size of resize2d<height, width>(x), or the factor of upsample_nearest2d<factor>(x), is not a positive integer or a named "
        "dimension; write resize2d<8, 6>(x)");
}
template<auto D>
constexpr bool is_image_size() {
    if constexpr (!is_extent<D>()) return false;
    else if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(D)>>) return D >= 1;
    else return true;
}
}

/// Images [batch, height, width, channels] in the size Height × Width: TensorFlow's tf.image.resize without antialias, and with
/// coordinates::asymmetric or align_corners its 1.x resize_bilinear, resize_bicubic, resize_area and resize_nearest_neighbor.
/// PyTorch's interpolate has "nearest" as nearest and asymmetric, "nearest-exact" as nearest and half_pixel, "bilinear" as here,
/// "bicubic" as bicubic_torch; "area" is adaptive_average_pool2d. Positions are computed in the element type. area uses
/// i n / m, or i (n − 1) / (m − 1) for align_corners. Sizes are integers or named dimensions.
/// An image without elements gives zeros.
/// Gradient: the transposed map of g.
template<auto Height, auto Width, interpolation How = interpolation::bilinear, coordinates Rule = coordinates::half_pixel, class A>
constexpr auto resize2d(A const& x) {
    using detail::image_slip;
    constexpr image_slip slip = detail::slip_of_image<2, A>(detail::is_image_size<Height>() && detail::is_image_size<Width>());
    detail::check_resize<slip>();
    if constexpr (slip == image_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != image_slip::none) return detail::refused{};
    else return apply<with<op::resize_images, op::resize_attributes{How, Rule}, Height, Width>>(x);
}
// catches resize2d(x, 4, 4)
template<class A, class H, class W>
constexpr auto resize2d(A const&, H const&, W const&) {
    static_assert(detail::never<A>, "xgrad::resize2d<height, width>(x): the sizes stand between parentheses; write resize2d<4, 4>(x)");
    return detail::refused{};
}
/// Sequences [batch, n, channels] in the length N, as in resize2d: interpolation::bilinear is linear.
/// Gradient: the transposed map of g.
template<auto N, interpolation How = interpolation::bilinear, coordinates Rule = coordinates::half_pixel, class A>
constexpr auto resize1d(A const& x) {
    using detail::image_slip;
    constexpr image_slip slip = detail::slip_of_image<1, A>(detail::is_image_size<N>());
    detail::check_resize<slip>();
    if constexpr (slip == image_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != image_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr shape wide{4, {s.extents[0], static_extent(1), s.extents[1], s.extents[2]}};
        constexpr shape result{3, {s.extents[0], make_shape<N>().extents[0], s.extents[2]}};
        return detail::reshaped_to<result>(
            apply<with<op::resize_images, op::resize_attributes{How, Rule}, 1, N>>(detail::reshaped_to<wide>(x)));
    }
}
/// Images [batch, height, width, channels] with each element Factor × Factor times (Keras' UpSampling2D).
/// Gradient: the sums of g over the copies.
template<std::int64_t Factor, class A>
constexpr auto upsample_nearest2d(A const& x) {
    using detail::image_slip;
    constexpr image_slip slip = detail::slip_of_image<2, A>(Factor >= 1);
    detail::check_resize<slip>();
    if constexpr (slip == image_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != image_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr extent one = static_extent(1), f = static_extent(Factor), b = s.extents[0], h = s.extents[1], w = s.extents[2],
                         c = s.extents[3];
        return detail::reshaped_to<shape{4, {b, h * f, w * f, c}}>(
            detail::repeated_to<shape{6, {b, h, f, w, f, c}}>(detail::reshaped_to<shape{6, {b, h, one, w, one, c}}>(x)));
    }
}
/// Sequences [batch, n, channels] with each element Factor times (Keras' UpSampling1D).
/// Gradient: the sums of g over the copies.
template<std::int64_t Factor, class A>
constexpr auto upsample_nearest1d(A const& x) {
    using detail::image_slip;
    constexpr image_slip slip = detail::slip_of_image<1, A>(Factor >= 1);
    detail::check_resize<slip>();
    if constexpr (slip == image_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != image_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr extent f = static_extent(Factor), b = s.extents[0], n = s.extents[1], c = s.extents[2];
        return detail::reshaped_to<shape{3, {b, n * f, c}}>(
            detail::repeated_to<shape{4, {b, n, f, c}}>(detail::reshaped_to<shape{4, {b, n, static_extent(1), c}}>(x)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
