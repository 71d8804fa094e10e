// SPDX-License-Identifier: MIT
// Colours and brightness of images, and random changes of images for training.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/images/sample.hpp>
#include <xgrad/ops/normalization/in_training.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class adjust_slip { none, no_expression, wrong, rank, type, channels, unknown_extent, sizes };
template<class A>
constexpr adjust_slip slip_of_adjusted(bool colours, bool known = false) {
    switch (slip_of_images<A>(2)) {
    case pool_slip::no_expression: return adjust_slip::no_expression;
    case pool_slip::wrong: return adjust_slip::wrong;
    case pool_slip::rank: return adjust_slip::rank;
    case pool_slip::type: return adjust_slip::type;
    default: break;
    }
    if constexpr (Expr<A>) {
        shape const& s = value_of<A>.dims;
        if (colours && s.rank == 4 && !(s.extents[3] == static_extent(3))) return adjust_slip::channels;
        if (known && s.rank == 4 && !(s.extents[1].is_static() && s.extents[2].is_static() && s.extents[3].is_static()))
            return adjust_slip::unknown_extent;
    }
    return adjust_slip::none;
}
template<adjust_slip Slip>
constexpr void check_adjusted() {
    static_assert(Slip != adjust_slip::rank,
        "xgrad: a function of images such as adjust_contrast or rgb_to_hsv gets an x without four axes; give it [batch, height, width, channels]");
    static_assert(Slip != adjust_slip::type,
        "xgrad: a function of images such as adjust_contrast or rgb_to_hsv gets an x that is not floating; write cast<float>(x)");
    static_assert(Slip != adjust_slip::channels,
        "xgrad: rgb_to_grayscale(x), rgb_to_hsv(x) or hsv_to_rgb(x) gets an x whose last extent is not 3; slice it");
    static_assert(Slip != adjust_slip::unknown_extent,
        "xgrad: a function of images that needs height, width and channels as integers gets a named dimension; declare integers");
}
/// A uniform number for each image, [batch, 1, 1, 1].
template<fixed_string Name, class A, class... Shared>
constexpr auto uniform_of_images(Shared... shared) {
    constexpr shape each{4, {value_of<A>.dims.extents[0], static_extent(1), static_extent(1), static_extent(1)}};
    return uniform_like<Name>(repeated_to<each>(constant<cpp_type_t<computed_type(value_of<A>.type)>, 0>), shared...);
}
}

/// (x − mean) factor + mean of images [batch, height, width, channels], where the mean is that of each channel of an image
/// (TensorFlow's adjust_contrast).
/// Gradient: that of the formula.
template<class A, class F>
constexpr auto adjust_contrast(A const& x, F const& factor) {
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<F>) return detail::refuse_operand<A, F>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const middle = mean<1, 2>(x, keep_dims);
        return (x - middle) * factor + middle;
    }
}
/// Images [batch, height, width, channels] minus their mean, divided by their standard deviation or 1 / √(number of elements), the larger
/// (TensorFlow's per_image_standardization). Height, width and channels are integers.
/// Gradient: that of the formula.
template<class A>
constexpr auto per_image_standardization(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(false, true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr std::int64_t n = s.extents[1].constant * s.extents[2].constant * s.extents[3].constant;
        auto const rest = x - mean<1, 2, 3>(x, keep_dims);
        return rest / sqrt(maximum(mean<1, 2, 3>(square(rest), keep_dims), 1_c / detail::whole_literal<n>));
    }
}
/// 0.2989 r + 0.587 g + 0.114 b of images [batch, height, width, 3]: [batch, height, width, 1] (TensorFlow's rgb_to_grayscale).
/// Gradient: g times the factors.
template<class A>
constexpr auto rgb_to_grayscale(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return 0.2989_c * slice<3, 0, 1>(x) + 0.587_c * slice<3, 1, 2>(x) + 0.114_c * slice<3, 2, 3>(x);
}
/// Hue, saturation and value, each in [0, 1], of images [batch, height, width, 3] of red, green and blue (TensorFlow's rgb_to_hsv). A
/// hue without colour is 0.
/// Gradient: that of the formula on each side of its kinks; ties as in maximum.
template<class A>
constexpr auto rgb_to_hsv(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const r = slice<3, 0, 1>(x);
        auto const g = slice<3, 1, 2>(x);
        auto const b = slice<3, 2, 3>(x);
        auto const value = maximum(maximum(r, g), b);
        auto const range = value - minimum(minimum(r, g), b);
        auto const coloured = greater(range, 0_c);
        auto const sixth = 1_c / (6_c * select(coloured, range, 1_c));
        auto const hue = select(equal(r, value), sixth * (g - b),
            select(equal(g, value), sixth * (b - r) + 0.33333333333333333_c, sixth * (r - g) + 0.66666666666666667_c));
        auto const turned = select(less(hue, 0_c), hue + 1_c, hue);
        auto const bright = greater(value, 0_c);
        return concat<3>(select(coloured, turned, 0_c), select(bright, range / select(bright, value, 1_c), 0_c), value);
    }
}
/// Red, green and blue of images [batch, height, width, 3] of hue, saturation and value (TensorFlow's hsv_to_rgb).
/// Gradient: that of the formula.
template<class A>
constexpr auto hsv_to_rgb(A const& x) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const hue = 6_c * slice<3, 0, 1>(x);
        auto const saturation = slice<3, 1, 2>(x);
        auto const value = slice<3, 2, 3>(x);
        auto const colour = [&](auto const& d) { return ((1_c - saturation) + saturation * minimum(maximum(d, 0_c), 1_c)) * value; };
        return concat<3>(colour(abs(hue - 3_c) - 1_c), colour(2_c - abs(hue - 2_c)), colour(2_c - abs(hue - 4_c)));
    }
}

/// Images [batch, height, width, 3] of red, green and blue with delta added to the hue, which goes round from 1 to 0 (TensorFlow's
/// adjust_hue): `adjust_hue(x, 0.1_c)`.
/// Gradient: that of both changes between colours; of delta too.
template<class A, class F>
constexpr auto adjust_hue(A const& x, F const& delta) {
    constexpr auto slip = detail::slip_of_adjusted<A>(true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<F>) return detail::refuse_operand<A, F>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const colours = rgb_to_hsv(x);
        auto const hue = slice<3, 0, 1>(colours) + delta;
        return hsv_to_rgb(concat<3>(hue - stop_gradient(floor(hue)), slice<3, 1, 3>(colours)));
    }
}
/// Images [batch, height, width, 3] of red, green and blue with their saturation times a factor, at most 1 (TensorFlow's
/// adjust_saturation): `adjust_saturation(x, 0.5_c)`.
/// Gradient: that of both changes between colours; of the factor too. It is 0 where the saturation is cut.
template<class A, class F>
constexpr auto adjust_saturation(A const& x, F const& factor) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(true);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<F>) return detail::refuse_operand<A, F>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else {
        auto const colours = rgb_to_hsv(x);
        auto const wanted = slice<3, 1, 2>(colours) * factor;
        auto const saturation = select(less(wanted, 1_c), select(greater(wanted, 0_c), wanted, 0_c), 1_c);
        return hsv_to_rgb(concat<3>(slice<3, 0, 1>(colours), saturation, slice<3, 2, 3>(colours)));
    }
}
/// Images [batch, height, width, channels], each mirrored from left to right with probability ½ (TensorFlow's
/// random_flip_left_right). The name selects the random stream, as in uniform_like. `eval` takes x as it is.
/// Gradient: g, mirrored in the same images.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto random_flip_left_right(A const& x, Shared... shared) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return in_training(select(less(detail::uniform_of_images<Name, A>(shared...), 0.5_c), flip<2>(x), x), x);
}
/// Images, each mirrored from top to bottom with probability ½ (TensorFlow's random_flip_up_down), as in random_flip_left_right.
/// `eval` takes x as it is.
/// Gradient: g, mirrored in the same images.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto random_flip_up_down(A const& x, Shared... shared) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return in_training(select(less(detail::uniform_of_images<Name, A>(shared...), 0.5_c), flip<1>(x), x), x);
}
/// Images [batch, height, width, channels] plus a number in [−most, most) for each image (TensorFlow's random_brightness). `eval` takes
/// x as it is.
/// Gradient: of x, g; of most, that of the formula.
template<fixed_string Name, class A, class M, std::same_as<nn::shared_tag>... Shared>
constexpr auto random_brightness(A const& x, M const& most, Shared... shared) {
    using namespace literals;
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<M>) return detail::refuse_operand<A, M>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return in_training(x + (2_c * detail::uniform_of_images<Name, A>(shared...) - 1_c) * most, x);
}
/// adjust_contrast by a factor in [low, high) for each image (TensorFlow's random_contrast). `eval` takes x as it is.
/// Gradient: that of adjust_contrast.
template<fixed_string Name, class A, class L, class H, std::same_as<nn::shared_tag>... Shared>
constexpr auto random_contrast(A const& x, L const& low, H const& high, Shared... shared) {
    constexpr auto slip = detail::slip_of_adjusted<A>(false);
    detail::check_adjusted<slip>();
    if constexpr (slip == detail::adjust_slip::no_expression || !Operand<L> || !Operand<H>) return detail::refuse_operand<A, L, H>();
    else if constexpr (slip != detail::adjust_slip::none) return detail::refused{};
    else return in_training(adjust_contrast(x, low + (high - low) * detail::uniform_of_images<Name, A>(shared...)), x);
}
/// A part of the size Height × Width of each image [batch, height, width, channels], at a random place for each (TensorFlow's
/// random_crop has one place). The height and width of x are integers. The streams are `Name/row` and `Name/column`. `eval`
/// takes the middle, as Keras' RandomCrop.
/// Gradient: g at the part, zero elsewhere.
template<fixed_string Name, std::int64_t Height, std::int64_t Width, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto random_crop(A const& x, Shared... shared) {
    using detail::adjust_slip;
    constexpr auto slip = [] {
        constexpr auto of_image = detail::slip_of_adjusted<A>(false, true);
        if constexpr (of_image != adjust_slip::none) return of_image;
        else {
            shape const& s = value_of<A>.dims;
            bool const fits = Height >= 1 && Width >= 1 && Height <= s.extents[1].constant && Width <= s.extents[2].constant;
            return fits ? adjust_slip::none : adjust_slip::sizes;
        }
    }();
    detail::check_adjusted<slip>();
    detail::check_sample<slip == adjust_slip::sizes ? detail::sample_slip::sizes : detail::sample_slip::none>();
    if constexpr (slip == adjust_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != adjust_slip::none) return detail::refused{};
    else {
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        constexpr shape s = value_of<A>.dims;
        constexpr extent b = s.extents[0], one = static_extent(1), rows = static_extent(Height), columns = static_extent(Width);
        auto const row = floor(detail::uniform_of_images<detail::name_of_part<Name, "/row">, A>(shared...) *
                               detail::whole_literal<s.extents[1].constant - Height + 1>);
        auto const column = floor(detail::uniform_of_images<detail::name_of_part<Name, "/column">, A>(shared...) *
                                  detail::whole_literal<s.extents[2].constant - Width + 1>);
        constexpr shape each{4, {b, rows, columns, one}};
        auto const v = detail::repeated_to<each>(row + detail::reshaped_to<shape{3, {rows, one, one}}>(detail::numbers_to<T, Height>()));
        auto const u =
            detail::repeated_to<each>(column + detail::reshaped_to<shape{3, {one, columns, one}}>(detail::numbers_to<T, Width>()));
        constexpr std::int64_t top = (s.extents[1].constant - Height) / 2, left = (s.extents[2].constant - Width) / 2;
        return in_training(apply<with<op::sample_pixels, op::sample_attributes{1}>>(x, concat<3>(u, v), detail::positions_along<b>{}),
            slice<2, left, left + Width>(slice<1, top, top + Height>(x)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
