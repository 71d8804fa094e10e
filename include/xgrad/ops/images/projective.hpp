// SPDX-License-Identifier: MIT
// Images through projective maps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/images/sample.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class projective_slip { none, no_expression, wrong, images, maps, how };
template<std::int64_t Height, std::int64_t Width, interpolation How, class A, class B>
constexpr projective_slip slip_of_projection() {
    if constexpr (!Expr<A> || !Expr<B>) return projective_slip::no_expression;
    else {
        value_info const &x = value_of<A>, &t = value_of<B>;
        if (x.wrong != fault::none || t.wrong != fault::none) return projective_slip::wrong;
        if (x.dims.rank != 4 || !is_floating(x.type) || !x.dims.extents[1].is_static() || !x.dims.extents[2].is_static())
            return projective_slip::images;
        bool const one = t.dims.rank == 2 && is_one(t.dims.extents[0]);
        if (t.type != x.type || t.dims.rank != 2 || !(t.dims.extents[1] == static_extent(8)) ||
            !(one || t.dims.extents[0] == x.dims.extents[0]))
            return projective_slip::maps;
        return (How == interpolation::bilinear || How == interpolation::nearest) && Height > 0 && Width > 0 ? projective_slip::none
                                                                                                            : projective_slip::how;
    }
}
}

/// Images [batch, height, width, channels] through projective maps [batch, 8] or [1, 8]: [batch, Height, Width, channels]. The element at
/// (x, y) is read at ((a x + b y + c) / k, (d x + e y + f) / k) with k = g x + h y + 1, for a map a ... h, in elements of the image.
/// What is outside counts as 0. How is interpolation::bilinear, or nearest, which takes ties to even: `projective_transform<4, 7>(images,
/// maps)` (TensorFlow's ImageProjectiveTransform with the fill mode "constant").
/// Gradient: of the images, g times the weights, at the elements that are read. Of the maps, the slope of the bilinear surface, 0 for
/// nearest. TensorFlow's of the images is that of the inverse map, and it has none of the maps.
template<std::int64_t Height, std::int64_t Width, interpolation How = interpolation::bilinear, class A, class B>
constexpr auto projective_transform(A const& images, B const& maps) {
    using namespace literals;
    using detail::projective_slip;
    constexpr projective_slip slip = detail::slip_of_projection<Height, Width, How, A, B>();
    static_assert(slip != projective_slip::images,
        "xgrad::projective_transform<height, width>(images, maps): images are not float or double [batch, height, width, channels] with "
        "integers as height and width; write cast or reshape");
    static_assert(slip != projective_slip::maps,
        "xgrad::projective_transform<height, width>(images, maps): maps are not [batch, 8] or [1, 8] in the type of the images; write "
        "cast or reshape");
    static_assert(slip != projective_slip::how,
        "xgrad::projective_transform<height, width, how>(images, maps): a size is not positive, or how is neither interpolation::bilinear "
        "nor nearest; write one of them");
    if constexpr (slip == projective_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != projective_slip::none) return detail::refused{};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        constexpr extent batch = value_of<A>.dims.extents[0];
        auto const all = detail::repeated_to<shape{2, {batch, static_extent(8)}}>(maps);
        auto const number = [&]<std::int64_t K>(std::integral_constant<std::int64_t, K>) {
            return detail::reshaped_to<shape{3, {batch, static_extent(1), static_extent(1)}}>(slice<1, K, K + 1>(all));
        };
        auto const sum_at = [&]<std::int64_t K>(std::integral_constant<std::int64_t, K> k) {
            auto const x = detail::numbers_to<T, Width>();
            auto const y = expand_dims<-1>(detail::numbers_to<T, Height>());
            return number(k) * x + number(std::integral_constant<std::int64_t, K + 1>{}) * y;
        };
        auto const k = sum_at(std::integral_constant<std::int64_t, 6>{}) + 1_c;
        auto const place = [&]<std::int64_t K>(std::integral_constant<std::int64_t, K> first) {
            return expand_dims<-1>((sum_at(first) + number(std::integral_constant<std::int64_t, K + 2>{})) / k);
        };
        auto const at = concat<-1>(place(std::integral_constant<std::int64_t, 0>{}), place(std::integral_constant<std::int64_t, 3>{}));
        return apply<with<op::sample_pixels, op::sample_attributes{How == interpolation::nearest}>>(
            images, at, detail::positions_along<batch>{});
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
