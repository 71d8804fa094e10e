// SPDX-License-Identifier: MIT
// Images scaled and moved by computed numbers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/comparison.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/ops/products/einsum.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class scale_slip { none, no_expression, wrong, images, sizes, numbers, how };
template<class A, class S, class T, auto Height, auto Width>
constexpr scale_slip scale_slip_of(interpolation how) {
    if constexpr (!Expr<A> || !Expr<S> || !Expr<T>) return scale_slip::no_expression;
    else {
        value_info const &x = value_of<A>, &s = value_of<S>, &t = value_of<T>;
        if (x.wrong != fault::none || s.wrong != fault::none || t.wrong != fault::none) return scale_slip::wrong;
        if (x.dims.rank != 4 || !is_floating(x.type)) return scale_slip::images;
        if constexpr (!std::is_integral_v<decltype(Height)> || !std::is_integral_v<decltype(Width)>) return scale_slip::sizes;
        else {
            extent const &h = x.dims.extents[1], &w = x.dims.extents[2];
            if (!h.is_static() || !w.is_static() || h.constant < 1 || w.constant < 1 || Height < 1 || Width < 1) return scale_slip::sizes;
            shape const pair{1, {static_extent(2)}};
            if (s.type != x.type || t.type != x.type || !(s.dims == pair) || !(t.dims == pair)) return scale_slip::numbers;
            return how == interpolation::bilinear || how == interpolation::bicubic ? scale_slip::none : scale_slip::how;
        }
    }
}
template<scale_slip Slip>
constexpr void check_scale() {
    static_assert(Slip != scale_slip::images,
        "xgrad::scale_and_translate<height, width>(x, scale, translation): x is not [batch, height, width, channels] in float or double; "
        "write expand_dims or cast<float>(x)");
    static_assert(Slip != scale_slip::sizes,
        "xgrad::scale_and_translate<height, width>(x, scale, translation): a size of x or of the result is no integer above 0; write "
        "integers");
    static_assert(Slip != scale_slip::numbers,
        "xgrad::scale_and_translate<height, width>(x, scale, translation): scale or translation is not two numbers of the element type of x, "
        "for height and width; write stack<0>(s, s)");
    static_assert(Slip != scale_slip::how,
        "xgrad::scale_and_translate<height, width, how>(x, scale, translation): how is neither interpolation::bilinear nor bicubic; write "
        "one of them");
}
/// The weight of each of N elements in each of M: [M, N].
template<interpolation How, bool Antialias, std::int64_t N, std::int64_t M, Element E, class S, class T>
constexpr auto scaled_weights(S const& scale, T const& translation) {
    using namespace literals;
    auto const per = 1_c / scale;
    auto const wide = [&] {
        if constexpr (Antialias) return maximum(per, 1_c);
        else return 1_c;
    }();
    auto const at = (arange<M, E>() + 0.5_c - translation) * per - 0.5_c;
    auto const away = abs(expand_dims<1>(at) - arange<N, E>()) / wide;
    auto const weight = [&] {
        if constexpr (How == interpolation::bilinear) return relu(1_c - away);
        else
            return select(away < 1_c, (1.5_c * away - 2.5_c) * away * away + 1_c,
                select(away < 2_c, ((2.5_c - 0.5_c * away) * away - 4_c) * away + 2_c, 0_c));
    }();
    auto const total = sum<1>(weight, keep_dims);
    auto const enough = abs(total) > 1.1920929e-4_c;
    auto const inside = expand_dims<1>(abs(at - whole_literal<N - 1> / 2_c) <= whole_literal<N> / 2_c);
    return select(inside, select(enough, weight / select(enough, total, 1_c), 0_c), 0_c);
}
}

/// Images [batch, height, width, channels] scaled, then moved, in images of Height x Width: element y of the result is at (y + ½ −
/// translation) / scale − ½ in x. `scale_and_translate<16, 16>(x, scale, translation)`, where `scale` and `translation` are two numbers,
/// for height and width (jax.image.scale_and_translate, TensorFlow's ScaleAndTranslate). The method is interpolation::bilinear
/// (triangle) or bicubic (Keys, a = −½). With Antialias the filter grows where the image shrinks. Elements outside of x have no weight,
/// and the weights of the others are divided by their sum. Places more than ½ outside of x are 0.
///
/// Gradient: of x, g times the weights; of scale and translation, that of the weights, as in JAX. TensorFlow has the first only.
template<auto Height, auto Width, interpolation How = interpolation::bilinear, bool Antialias = true, class A, class S, class T>
constexpr auto scale_and_translate(A const& x, S const& scale, T const& translation) {
    using detail::scale_slip;
    constexpr scale_slip slip = detail::scale_slip_of<A, S, T, Height, Width>(How);
    detail::check_scale<slip>();
    if constexpr (slip == scale_slip::no_expression) return detail::refuse_operand<A, S, T>();
    else if constexpr (slip != scale_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        using E = cpp_type_t<value_of<A>.type>;
        return einsum<"bhwc,yh,xw->byxc">(x,
            detail::scaled_weights<How, Antialias, s.extents[1].constant, Height, E>(
                squeeze<0>(slice<0, 0, 1>(scale)), squeeze<0>(slice<0, 0, 1>(translation))),
            detail::scaled_weights<How, Antialias, s.extents[2].constant, Width, E>(
                squeeze<0>(slice<0, 1, 2>(scale)), squeeze<0>(slice<0, 1, 2>(translation))));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
