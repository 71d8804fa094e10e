// SPDX-License-Identifier: MIT
// Images at computed places: grid_sample, affine_grid, crop_and_resize.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN

/// What grid_sample reads outside of an image: zeros, the nearest element of the border, or the mirrored image.
enum class outside : std::int64_t { zeros, border, reflection };

namespace op {
/// bilinear, the nearest element, or one of the four elements around a place: 2 + column + 2 · row.
struct sample_attributes {
    std::int64_t mode;
};
/// Calls f(offset of an element in the image, weight) for those that a place reads.
template<class T, class F>
XGRAD_INLINE void each_sample(std::int64_t mode, T u, T v, std::int64_t h, std::int64_t w, F const& f) {
    auto const near = [](T p, std::int64_t n) { return p > T(-2) && p < static_cast<T>(n + 1); };
    if (!near(u, w) || !near(v, h)) return;   // NaN too
    if (mode == 1) {
        u = std::nearbyint(u);
        v = std::nearbyint(v);
    }
    T const left = std::floor(u), top = std::floor(v), tx = u - left, ty = v - top;
    auto const x = static_cast<std::int64_t>(left), y = static_cast<std::int64_t>(top);
    auto const element = [&](std::int64_t i, std::int64_t j, T weight) {
        if (x + j >= 0 && x + j < w && y + i >= 0 && y + i < h) f((y + i) * w + x + j, weight);
    };
    if (mode == 1) return element(0, 0, T(1));
    if (mode >= 2) return element((mode - 2) / 2, (mode - 2) % 2, T(1));
    element(0, 0, (T(1) - tx) * (T(1) - ty));
    element(0, 1, tx * (T(1) - ty));
    element(1, 0, (T(1) - tx) * ty);
    element(1, 1, tx * ty);
}
/// Places [n, p, q, 2] of columns and rows, the image of each n, and g [n, p, q, c]: g at the elements that sample_pixels reads, times
/// their weights, summed.
struct sample_spread : kernel_op {
    using attributes = sample_attributes;
    static constexpr std::string_view name = "sample_gradient";
    static constexpr index_bound indices{.operand = 1, .of = -1, .axis = 0};
    static constexpr bool reports_indices = true;
    static constexpr extent flops(kernel_operands const& v) { return v.dims(2).size() * static_extent(8); }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(3).extents[0]; }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[2].type, a.target(), fault::none};
    }
    template<class T, class I>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> at, tensor_view<I const, 1> ids,
        tensor_view<T const, 4> g, tensor_view<T, 4> x) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), places = at.shape(1) * at.shape(2);
        std::fill(x.data() + part.first * h * w * c, x.data() + part.last * h * w * c, T(0));
        for (std::int64_t n = 0; n < ids.size(); ++n) {
            auto const image = static_cast<std::int64_t>(ids.data()[n]);
            if (image < 0 || image >= x.shape(0)) return part.report_bad_index();
            if (image < part.first || image >= part.last) continue;
            T* const pixels = x.data() + image * h * w * c;
            for (std::int64_t p = n * places; p < (n + 1) * places; ++p)
                each_sample(a.mode, at.data()[2 * p], at.data()[2 * p + 1], h, w, [&](std::int64_t pixel, T weight) {
                    xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                        using V = typename decltype(block)::V;
                        T* const to = pixels + pixel * c + k;
                        block.store(to, block.load(to) + block.load(g.data() + p * c + k) * V(weight));
                    });
                });
        }
    }
    static constexpr void derive(derivation& d);
};
/// Images [b, h, w, c] at places [n, p, q, 2] of columns and rows in pixels, n in the image ids[n]: [n, p, q, c]. Elements outside are 0.
struct sample_pixels : kernel_op {
    using attributes = sample_attributes;
    static constexpr std::string_view name = "sample";
    static constexpr index_bound indices{.operand = 2, .of = 0, .axis = 0};
    static constexpr bool reports_indices = true, in_order = true;
    static constexpr extent flops(kernel_operands const& v) { return v.dims(3).size() * static_extent(8); }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0] * v.dims(1).extents[1]; }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) {
        value_info r = v[0];
        for (int i = 0; i < 3; ++i) r.dims.extents[i] = v[1].dims.extents[i];
        return r;
    }
    template<class T, class I>
    XGRAD_FLATTEN static void run(attributes const& a, kernel_part const& part, tensor_view<T const, 4> x, tensor_view<T const, 4> at,
        tensor_view<I const, 1> ids, tensor_view<T, 4> y) {
        std::int64_t const h = x.shape(1), w = x.shape(2), c = x.shape(3), rows = at.shape(1), places = at.shape(2);
        for (std::int64_t turn = part.first; turn < part.last; ++turn) {
            auto const image = static_cast<std::int64_t>(ids.data()[turn / rows]);
            if (image < 0 || image >= x.shape(0)) return part.report_bad_index();
            T const* const pixels = x.data() + image * h * w * c;
            for (std::int64_t p = turn * places; p < (turn + 1) * places; ++p) {
                T* const to = y.data() + p * c;
                std::fill_n(to, c, T(0));
                each_sample(a.mode, at.data()[2 * p], at.data()[2 * p + 1], h, w, [&](std::int64_t pixel, T weight) {
                    xgrad::detail::each_block<T>(c, [&](std::int64_t k, auto block) {
                        using V = typename decltype(block)::V;
                        block.store(to + k, block.load(to + k) + block.load(pixels + pixel * c + k) * V(weight));
                    });
                });
            }
        }
    }
    static constexpr void derive(derivation& d);
};
/// The gradient of Σ g · sample by the places. The four elements around are operations, so it can be differentiated again.
constexpr symbol sample_slope(symbol x, symbol at, symbol ids, symbol g) {
    extent const one = static_extent(1);
    symbol const u = slice_of(at, 3, static_extent(0), one), v = slice_of(at, 3, one, one);
    symbol const tx = u - xgrad::floor(u), ty = v - xgrad::floor(v);
    symbol corner[4]{};
    for (int k = 0; k < 4; ++k) corner[k] = apply_with<sample_pixels>({2 + k}, x, at, ids);
    auto const total = [&](symbol s) { return sum_over(g * s, axis_set::of(3), true); };
    symbol const parts[2]{total((1_c - ty) * (corner[1] - corner[0]) + ty * (corner[3] - corner[2])),
        total((1_c - tx) * (corner[2] - corner[0]) + tx * (corner[3] - corner[1]))};
    return concat_along(3, parts, 2);
}
constexpr void sample_pixels::derive(derivation& d) {
    auto const w = to_words(d.attrs->as<attributes>());
    shape const& s = d.info(0).dims;
    if (d.wanted[0]) d.out[0] = apply_with<sample_spread>(w.view(s.extents, s.rank), d.operands[1], d.operands[2], d.gradient);
    if (d.wanted[1] && d.attrs->as<attributes>().mode == 0)
        d.out[1] = sample_slope(d.operands[0], d.operands[1], d.operands[2], d.gradient);
}
constexpr void sample_spread::derive(derivation& d) {
    attributes const how = d.attrs->as<attributes>();
    if (d.wanted[2]) d.out[2] = apply_with<sample_pixels>(how, d.gradient, d.operands[0], d.operands[1]);
    if (d.wanted[0] && how.mode == 0) d.out[0] = sample_slope(d.gradient, d.operands[0], d.operands[1], d.operands[2]);
}
}

namespace detail {
enum class sample_slip { none, no_expression, wrong, rank, types, shapes, unknown_extent, sizes };
template<class A>
constexpr bool has_static_image = value_of<A>.dims.extents[1].is_static() && value_of<A>.dims.extents[2].is_static();
/// A coordinate in pixels, moved into an image of N elements, as PyTorch does it.
template<outside Where, bool Align, std::int64_t N, class U>
constexpr auto moved_inside(U const& u) {
    using namespace literals;
    if constexpr (Where == outside::zeros) return u;
    else if constexpr (Where == outside::border) {
        constexpr auto last = whole_literal<N - 1>;
        auto const low = select(greater(u, 0_c), u, 0_c);
        return select(less(u, last), low, last);
    } else {
        if constexpr (Align && N == 1) return 0_c * u;
        else {
            // mirrored at 0 and N − 1, or half an element further
            auto const from = [&] {
                if constexpr (Align) return abs(u);
                else return abs(u + 0.5_c);
            }();
            constexpr auto span = whole_literal < Align ? N - 1 : N > ;
            auto const times = stop_gradient(floor(from / span));
            auto const rest = from - times * span;
            auto const odd = greater(times - 2_c * floor(0.5_c * times), 0_c);
            auto const back = select(odd, span - rest, rest);
            if constexpr (Align) return moved_inside<outside::border, Align, N>(back);
            else return moved_inside<outside::border, Align, N>(back - 0.5_c);
        }
    }
}
template<class A, class B>
constexpr sample_slip slip_of_sample() {
    if constexpr (!Expr<A> || !Expr<B>) return sample_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none) return sample_slip::wrong;
    else if (value_of<A>.dims.rank != 4 || value_of<B>.dims.rank != 4 || !(value_of<B>.dims.extents[3] == static_extent(2)))
        return sample_slip::rank;
    else if (!is_floating(value_of<A>.type) || value_of<A>.type != value_of<B>.type) return sample_slip::types;
    else if (!(value_of<A>.dims.extents[0] == value_of<B>.dims.extents[0])) return sample_slip::shapes;
    else return has_static_image<A> ? sample_slip::none : sample_slip::unknown_extent;
}
template<class A, class B, class I>
constexpr sample_slip slip_of_crop(bool sizes) {
    if constexpr (!Expr<A> || !Expr<B> || !Expr<I>) return sample_slip::no_expression;
    else if constexpr (value_of<A>.wrong != fault::none || value_of<B>.wrong != fault::none || value_of<I>.wrong != fault::none)
        return sample_slip::wrong;
    else if (value_of<A>.dims.rank != 4 || value_of<B>.dims.rank != 2 || !(value_of<B>.dims.extents[1] == static_extent(4)))
        return sample_slip::rank;
    else if (!is_floating(value_of<A>.type) || value_of<A>.type != value_of<B>.type || !is_integer(value_of<I>.type))
        return sample_slip::types;
    else if (value_of<I>.dims.rank != 1 || !(value_of<I>.dims.extents[0] == value_of<B>.dims.extents[0])) return sample_slip::shapes;
    else if (!has_static_image<A>) return sample_slip::unknown_extent;
    else return sizes ? sample_slip::none : sample_slip::sizes;
}
template<sample_slip Slip>
constexpr void check_sample() {
    static_assert(Slip != sample_slip::rank,
        "xgrad: grid_sample(x, grid) or crop_and_resize<height, width>(x, boxes, images): x is not [batch, height, width, channels], or the "
        "grid not [batch, rows, columns, 2], or the boxes not [n, 4]");
    static_assert(Slip != sample_slip::types,
        "xgrad: grid_sample(x, grid) or crop_and_resize(x, boxes, images): x and the places are not both float or both double, or images "
        "are not integers; write cast<float>(grid)");
    static_assert(Slip != sample_slip::shapes,
        "xgrad: grid_sample(x, grid) or crop_and_resize(x, boxes, images): there is not one grid for each image, or one image number for "
        "each box; write gather or reshape");
    static_assert(Slip != sample_slip::unknown_extent,
        "xgrad: grid_sample(x, grid) or crop_and_resize(x, boxes, images): height or width of x is a named dimension; declare integers");
    static_assert(Slip != sample_slip::sizes,
        "xgrad: a size of crop_and_resize<height, width>(x, boxes, images), affine_grid<height, width>(theta) or random_crop is not a "
        "positive integer that fits; write such integers");
}
/// 0 ... n − 1 in element type T.
template<class T, std::int64_t N>
constexpr auto numbers_to() {
    return cast<T>(positions_along<static_extent(N)>{});
}
}

/// Images [batch, height, width, channels] at the places of a grid [batch, rows, columns, 2]: [batch, rows, columns, channels]. A place is
/// (x, y), −1 ... 1 over the width and the height, from border to border. With Align it is from the middle of the first element to
/// that of the last. This is PyTorch's grid_sample, whose images have channels second. How is interpolation::bilinear or nearest;
/// nearest takes ties to even. Places outside read zeros, the border, or the mirrored image. A place that is NaN reads zeros.
/// Gradient: of x, g times the weights, at the elements that are read. Of the grid, the slope of the bilinear surface, 0 for nearest.
template<outside Where = outside::zeros, bool Align = false, interpolation How = interpolation::bilinear, class A, class B>
constexpr auto grid_sample(A const& x, B const& grid) {
    using namespace literals;
    using detail::sample_slip;
    constexpr bool how = How == interpolation::bilinear || How == interpolation::nearest;
    static_assert(
        how, "xgrad::grid_sample<outside, align, how>(x, grid): how is neither interpolation::bilinear nor nearest; write one of them");
    constexpr sample_slip slip = detail::slip_of_sample<A, B>();
    detail::check_sample<slip>();
    if constexpr (!how) return detail::refused{};
    else if constexpr (slip == sample_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != sample_slip::none) return detail::refused{};
    else {
        constexpr std::int64_t h = value_of<A>.dims.extents[1].constant, w = value_of<A>.dims.extents[2].constant;
        auto const place = [&]<int K, std::int64_t N>() {
            auto const g = slice<-1, K, K + 1>(grid);
            if constexpr (Align) return detail::moved_inside<Where, Align, N>(0.5_c * (g + 1_c) * detail::whole_literal<N - 1>);
            else return detail::moved_inside<Where, Align, N>(0.5_c * ((g + 1_c) * detail::whole_literal<N> - 1_c));
        };
        auto const at = concat<-1>(place.template operator()<0, w>(), place.template operator()<1, h>());
        return apply<with<op::sample_pixels, op::sample_attributes{How == interpolation::nearest}>>(
            x, at, detail::positions_along<value_of<A>.dims.extents[0]>{});
    }
}
/// The grid [batch, Height, Width, 2] of grid_sample that the affine maps theta [batch, 2, 3] make: theta · (x, y, 1) for places over
/// the image, with the meaning of Align (PyTorch's affine_grid).
/// Gradient: of theta, the sums of g times the places.
template<std::int64_t Height, std::int64_t Width, bool Align = false, class A>
constexpr auto affine_grid(A const& theta) {
    using namespace literals;
    constexpr bool sizes = Height >= 1 && Width >= 1;
    constexpr bool fits = [] {
        if constexpr (!Expr<A>) return true;
        else if constexpr (value_of<A>.wrong != fault::none) return true;
        else
            return value_of<A>.dims.rank == 3 && is_floating(value_of<A>.type) && value_of<A>.dims.extents[1] == static_extent(2) &&
                   value_of<A>.dims.extents[2] == static_extent(3);
    }();
    static_assert(fits, "xgrad::affine_grid<height, width>(theta): theta is not float or double [batch, 2, 3]; write cast or reshape");
    detail::check_sample<sizes ? detail::sample_slip::none : detail::sample_slip::sizes>();
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (!sizes || !fits || value_of<A>.wrong != fault::none) return detail::refused{};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        auto const line = []<std::int64_t N>() {
            constexpr auto n = detail::numbers_to<T, N>();
            if constexpr (Align && N == 1) return 0_c * n;
            else if constexpr (Align) return 2_c * n / detail::whole_literal<N - 1> - 1_c;
            else return (2_c * n + 1_c) / detail::whole_literal<N> - 1_c;
        };
        constexpr extent b = value_of<A>.dims.extents[0], one = static_extent(1), two = static_extent(2);
        auto const column = [&]<int K>() { return detail::reshaped_to<shape{4, {b, one, one, two}}>(slice<2, K, K + 1>(theta)); };
        auto const x = detail::reshaped_to<shape{3, {one, static_extent(Width), one}}>(line.template operator()<Width>());
        auto const y = detail::reshaped_to<shape{3, {static_extent(Height), one, one}}>(line.template operator()<Height>());
        return column.template operator()<0>() * x + column.template operator()<1>() * y + column.template operator()<2>();
    }
}
/// Parts of images [batch, height, width, channels] in the size Height × Width: [n, Height, Width, channels]. boxes are [n, 4]: y1, x1,
/// y2, x2, where 0 is the first element of an axis and 1 the last one; images [n] are the numbers of their images. Places outside of an
/// image get `beyond`, a number (TensorFlow's tf.image.crop_and_resize). A wrong number of an image is a value_error.
/// Gradient: of x and of the boxes, that of grid_sample; for nearest of x alone. A place at an element gives the boxes none, as in
/// TensorFlow.
template<std::int64_t Height, std::int64_t Width, interpolation How = interpolation::bilinear, class A, class B, class I,
    class V = literal<0>>
constexpr auto crop_and_resize(A const& x, B const& boxes, I const& images, V const& beyond = {}) {
    using namespace literals;
    using detail::sample_slip;
    constexpr bool how = How == interpolation::bilinear || How == interpolation::nearest;
    static_assert(how, "xgrad::crop_and_resize<height, width, how>(x, boxes, images): how is neither interpolation::bilinear nor nearest");
    constexpr sample_slip slip = detail::slip_of_crop<A, B, I>(Height >= 1 && Width >= 1);
    detail::check_sample<slip>();
    if constexpr (!how) return detail::refused{};
    else if constexpr (slip == sample_slip::no_expression) return detail::refuse_operand<A, B, I>();
    else if constexpr (slip != sample_slip::none) return detail::refused{};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        constexpr extent n = value_of<B>.dims.extents[0], one = static_extent(1);
        constexpr std::int64_t h = value_of<A>.dims.extents[1].constant, w = value_of<A>.dims.extents[2].constant;
        auto const along = [&]<int K, std::int64_t N, std::int64_t M>() {   // [n, M]
            auto const from = slice<1, K, K + 1>(boxes);
            auto const to = slice<1, K + 2, K + 3>(boxes);
            constexpr auto last = detail::whole_literal<N - 1>;
            if constexpr (M == 1) return 0.5_c * (from + to) * last;
            else return from * last + detail::numbers_to<T, M>() * ((to - from) * last / detail::whole_literal<M - 1>);
        };
        auto const inside = [](auto const& p, auto last) { return logical_and(greater_equal(p, 0_c), less_equal(p, last)); };
        constexpr extent rows = static_extent(Height), columns = static_extent(Width);
        auto const v = detail::reshaped_to<shape{4, {n, rows, one, one}}>(along.template operator()<0, h, Height>());
        auto const u = detail::reshaped_to<shape{4, {n, one, columns, one}}>(along.template operator()<1, w, Width>());
        constexpr shape each{4, {n, rows, columns, one}};
        auto const rounded = [](auto const& p) {   // TensorFlow has no slope at an element itself
            if constexpr (How == interpolation::nearest) return floor(p + 0.5_c);
            else return select(equal(p, floor(p)), stop_gradient(p), p);
        };
        auto const at = concat<-1>(detail::repeated_to<each>(rounded(u)), detail::repeated_to<each>(rounded(v)));
        auto const y = apply<with<op::sample_pixels, op::sample_attributes{How == interpolation::nearest}>>(x, at, images);
        return select(logical_and(inside(v, detail::whole_literal<h - 1>), inside(u, detail::whole_literal<w - 1>)), y, beyond);
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
