// SPDX-License-Identifier: MIT
// How images differ: from each other (psnr, ssim), and from pixel to pixel (gradients, edges, total variation).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/images/adjust.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct filter_attributes {
    std::int64_t axis, size;
    double sigma;
};
/// The means of `size` elements in succession along an axis, weighted by exp(−d² / 2σ²) of the distance d from the middle.
struct gaussian_means : composite_op {
    using attributes = filter_attributes;
    static constexpr std::string_view name = "gaussian_means";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        auto const how = a.as<attributes>();
        value_info r = v[0];
        r.dims.extents[how.axis] = r.dims.extents[how.axis] - static_extent(how.size - 1);
        return r;
    }
    /// exp(−x) for x >= 0, in a constant evaluation.
    static constexpr double falling(double x) {
        double sum = 1, term = 1;
        double const small = x / 256;
        for (int k = 1; k < 20; ++k) sum += term *= small / k;
        for (int k = 0; k < 8; ++k) sum *= sum;
        return 1 / sum;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        auto const how = a.as<attributes>();
        value_info const v = t.info(x[0]);
        extent const length = v.dims.extents[how.axis] - static_extent(how.size - 1);
        auto const weight = [&](std::int64_t k) {
            double const d = static_cast<double>(k) - static_cast<double>(how.size - 1) / 2;
            return falling(d * d / (2 * how.sigma * how.sigma));
        };
        double all = 0;
        for (std::int64_t k = 0; k < how.size; ++k) all += weight(k);
        symbol sum{};
        for (std::int64_t k = 0; k < how.size; ++k) {
            symbol const term = t.constant(weight(k) / all, v.type) * slice_of(x[0], static_cast<int>(how.axis), static_extent(k), length);
            sum = sum.exists() ? sum + term : term;
        }
        return sum;
    }
};
}

namespace detail {
template<class A, class B>
constexpr adjust_slip slip_of_two_images(bool known) {
    constexpr auto a = slip_of_adjusted<A>(false), b = slip_of_adjusted<B>(false);
    if constexpr (a != adjust_slip::none) return a;
    else if constexpr (b != adjust_slip::none) return b;
    else if (!(value_of<A>.dims == value_of<B>.dims) || value_of<A>.type != value_of<B>.type) return adjust_slip::sizes;
    else return known ? slip_of_adjusted<A>(false, true) : adjust_slip::none;
}
template<adjust_slip Slip>
constexpr void check_two_images() {
    check_adjusted<Slip>();
    static_assert(Slip != adjust_slip::sizes,
        "xgrad: psnr(a, b, range) or ssim(a, b, range) gets images of different shapes or element types, or smaller than the filter; resize "
        "or cast one of them");
}
template<std::int64_t Size, class A>
constexpr auto gaussian_image(A const& x) {
    return apply<with<op::gaussian_means, op::filter_attributes{2, Size, 1.5}>>(
        apply<with<op::gaussian_means, op::filter_attributes{1, Size, 1.5}>>(x));
}
}

/// The peak signal-to-noise ratio in decibels of images [batch, height, width, channels]: 10 log10(range² / mean square difference) for
/// each image, [batch] (TensorFlow's psnr). range is the difference of the largest and the smallest possible value. Equal images give inf.
/// Gradient: that of the formula.
template<class A, class B, class R>
constexpr auto psnr(A const& a, B const& b, R const& range) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_two_images<A, B>(false);
    detail::check_two_images<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<R>) return detail::refuse_operand<A, B, R>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return 4.342944819032518_c * (2_c * log(range) - log(mean<1, 2, 3>(square(a - b))));
}
/// The structural similarity of images [batch, height, width, channels] of at least 11 × 11 elements, the mean over places and channels:
/// [batch]. Means are Gaussian, 11 elements wide with σ = 1.5, k1 = 0.01, k2 = 0.03 (Wang and others 2004; TensorFlow's ssim).
/// Gradient: that of the formula.
template<class A, class B, class R>
constexpr auto ssim(A const& a, B const& b, R const& range) {
    using namespace literals;
    constexpr auto slip = [] {
        constexpr auto of_images = detail::slip_of_two_images<A, B>(true);
        if constexpr (of_images != detail::adjust_slip::none) return of_images;
        else
            return value_of<A>.dims.extents[1].constant >= 11 && value_of<A>.dims.extents[2].constant >= 11 ? of_images
                                                                                                            : detail::adjust_slip::sizes;
    }();
    detail::check_two_images<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<R>) return detail::refuse_operand<A, B, R>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const c1 = square(0.01_c * range);
        auto const c2 = square(0.03_c * range);
        auto const mean_a = detail::gaussian_image<11>(a);
        auto const mean_b = detail::gaussian_image<11>(b);
        auto const product = 2_c * mean_a * mean_b;
        auto const squares = square(mean_a) + square(mean_b);
        auto const luminance = (product + c1) / (squares + c1);
        auto const both = 2_c * detail::gaussian_image<11>(a * b);
        auto const each = detail::gaussian_image<11>(square(a) + square(b));
        return mean<1, 2, 3>(luminance * ((both - product + c2) / (each - squares + c2)));
    }
}
/// Σ |differences of neighbours| in rows and columns of images [batch, height, width, channels]: [batch] (TensorFlow's total_variation).
/// Gradient: that of the formula.
template<class A>
constexpr auto total_variation(A const& x) {
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        constexpr extent h = value_of<A>.dims.extents[1], w = value_of<A>.dims.extents[2], one = static_extent(1), none = static_extent(0);
        return sum<1, 2, 3>(abs(slice<1, one, h>(x) - slice<1, none, h - one>(x))) +
               sum<1, 2, 3>(abs(slice<2, one, w>(x) - slice<2, none, w - one>(x)));
    }
}
/// The differences of neighbours of images [batch, height, width, channels], down the columns and along the rows, as a tuple; 0 in the last
/// row or column (TensorFlow's image_gradients): `auto [dy, dx] = image_gradients(x)`.
/// Gradient: that of the differences.
template<class A>
constexpr auto image_gradients(A const& x) {
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return std::tuple{detail::refuse_operand<A>(), detail::refused{}};
    else if constexpr (slip != detail::adjust_slip::none) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        constexpr extent h = value_of<A>.dims.extents[1], w = value_of<A>.dims.extents[2], one = static_extent(1), none = static_extent(0);
        return std::tuple{
            pad<0, 1, 1>(slice<1, one, h>(x) - slice<1, none, h - one>(x)), pad<0, 1, 2>(slice<2, one, w>(x) - slice<2, none, w - one>(x))};
    }
}
/// Sobel's differences of images [batch, height, width, channels] of at least 2 × 2 elements, with mirrored borders: [batch, height,
/// width, channels, 2], first down the columns, then along the rows (TensorFlow's sobel_edges).
/// Gradient: that of the sums.
template<class A>
constexpr auto sobel_edges(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(false, true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        constexpr std::int64_t h = value_of<A>.dims.extents[1].constant, w = value_of<A>.dims.extents[2].constant, zero = 0, one = 1,
                               two = 2;
        auto const wide = pad<1, 1, 2, padding::reflect>(pad<1, 1, 1, padding::reflect>(x));
        auto const rows = slice<2, zero, w>(wide) + 2_c * slice<2, one, w + 1>(wide) + slice<2, two, w + 2>(wide);
        auto const columns = slice<1, zero, h>(wide) + 2_c * slice<1, one, h + 1>(wide) + slice<1, two, h + 2>(wide);
        return stack<4>(slice<1, two, h + 2>(rows) - slice<1, zero, h>(rows), slice<2, two, w + 2>(columns) - slice<2, zero, w>(columns));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
