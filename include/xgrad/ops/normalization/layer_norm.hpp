// SPDX-License-Identifier: MIT
// Normalization of each example alone: of its last axes, of groups of channels, of each channel.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/normalization/standardize.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// standardize over all axes but the first, of `groups` equal parts of the last axis, which has the channels.
struct standardize_groups : composite_op {
    struct attributes {
        std::int64_t groups;
    };
    static constexpr std::string_view name = "standardize_groups";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        int const rank = v[0].dims.rank;
        std::int64_t const groups = a.as<attributes>().groups;
        if (rank < 2 || rank >= max_rank) return {v[0].type, {}, fault::rank};
        extent const channels = v[0].dims.extents[rank - 1];
        if (!channels.is_static() || groups < 1 || channels.constant % groups != 0) return {v[0].type, {}, fault::axis};
        return normalized_rule(v, 1, {});
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        shape const s = t.info(x[0]).dims;
        std::int64_t const groups = a.as<attributes>().groups;
        shape apart = s;
        apart.extents[s.rank - 1] = static_extent(groups);
        apart.extents[apart.rank++] = static_extent(s.extents[s.rank - 1].constant / groups);
        axis_set axes = axis_set::all(apart.rank);
        axes.bits &= ~(axis_set::of(0).bits | axis_set::of(s.rank - 1).bits);
        return reshape_to(apply_with<standardize>({axes, true}, reshape_to(x[0], apart), x[1]), s);
    }
};
}

namespace detail {
/// Whether x is float or double, and each part has its element type and the shape of its last axes, the same for all.
template<class A, class First, class... Part>
constexpr bool fit_last_axes() {
    if constexpr (!Expr<A> || !Expr<First> || !(Expr<Part> && ...)) return true;
    else if constexpr (((value_of<A>.wrong != fault::none) || ... || (value_of<Part>.wrong != fault::none))) return true;
    else {
        shape const &x = value_of<A>.dims, &s = value_of<First>.dims;
        if (!is_floating(computed_type(value_of<A>.type)) || s.rank < 1 || s.rank > x.rank) return false;
        if (((computed_type(value_of<First>.type) != computed_type(value_of<A>.type)) || ... ||
                (computed_type(value_of<Part>.type) != computed_type(value_of<A>.type))))
            return false;
        for (int i = 0; i < s.rank; ++i)
            if (!(s.extents[i] == x.extents[x.rank - s.rank + i])) return false;
        return ((value_of<Part>.dims == s) && ...);
    }
}
/// x standardized by Op over the last Count axes, or over the axes 1 to rank − 2.
template<class Op, int First, int Last, class A, class E>
constexpr auto standardized_between(A const& x, E const& epsilon) {
    return [&]<int... K>(std::integer_sequence<int, K...>) { return standardized<Op, (First + K)...>(x, epsilon); }(
               std::make_integer_sequence<int, Last - First>{});
}
template<class Op, class A, class S, class E>
constexpr auto standardized_like(A const& x, S const&, E const& epsilon) {
    return standardized_between<Op, value_of<A>.dims.rank - value_of<S>.dims.rank, value_of<A>.dims.rank>(x, epsilon);
}
}

/// Layer normalization (Ba, Kiros, Hinton 2016): scale (x − mean) / √(variance + epsilon) + offset. Mean and variance are
/// over the last axes of x, as many as scale and offset have: `layer_norm(x, scale, offset)` with scale [features]. epsilon
/// is a number, 1e-3 if it is not given, as in Keras; PyTorch has 1e-5. Without scale and offset it is standardize(x). Equal
/// elements become offset.
///
/// Gradient: with ŷ, which is y before scale and offset, and h = g scale: of x, (h − mean(h) − ŷ mean(h ŷ)) / √(variance +
/// epsilon). Of scale Σ g ŷ and of offset Σ g, over the other axes.
template<class A, class S, class O, class E = detail::usual_epsilon>
constexpr auto layer_norm(A const& x, S const& scale, O const& offset, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_last_axes<A, S, O>();
    static_assert(fits, "xgrad::layer_norm(x, scale, offset, epsilon): x is not float or double, or scale and offset do not have its type "
                        "and the shape of its last axes; declare scale as variable<\"scale\", float, 16>");
    if constexpr (!Expr<A> || !Expr<S> || !Expr<O> || !Expr<E>) return detail::refuse_operand<A, S, O, E>();
    else if constexpr (!fits) return detail::refused{};
    else return detail::standardized_like<op::standardize>(x, scale, epsilon) * scale + offset;
}
/// Root mean square normalization (Zhang, Sennrich 2019): scale x / √(mean of x² + epsilon), with the mean over the last
/// axes of x, as many as scale has. epsilon is a number, 1e-6 if it is not given, as in Keras; PyTorch takes 2⁻²³ for float.
/// Zeros stay zeros.
///
/// Gradient: with ŷ, which is y before scale, and h = g scale: of x, (h − ŷ mean(h ŷ)) / √(mean of x² + epsilon). Of scale Σ
/// g ŷ over the other axes.
template<class A, class S, class E = detail::rms_epsilon>
constexpr auto rms_norm(A const& x, S const& scale, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_last_axes<A, S>();
    static_assert(fits, "xgrad::rms_norm(x, scale, epsilon): x is not float or double, or scale does not have its type and the shape of "
                        "its last axes; declare scale as variable<\"scale\", float, 16>");
    if constexpr (!Expr<A> || !Expr<S> || !Expr<E>) return detail::refuse_operand<A, S, E>();
    else if constexpr (!fits) return detail::refused{};
    else return detail::standardized_like<op::rms_normalize>(x, scale, epsilon) * scale;
}
namespace detail {
template<std::int64_t Groups, class A, class E>
constexpr auto groups_standardized(A const& x, E const& epsilon) {
    using O = with<op::standardize_groups, op::standardize_groups::attributes{Groups}>;
    constexpr fault f = fault_of<O, A, E>();
    static_assert(f != fault::rank, "xgrad::group_norm<groups>(x, scale, offset): x has fewer than two axes, or six; write expand_dims, or "
                                    "join axes by reshape");
    static_assert(f != fault::axis, "xgrad::group_norm<groups>(x, scale, offset): groups does not divide the last extent of x, the "
                                    "channels, or that is no integer; write a divisor of it");
    static_assert(f != fault::inner, "xgrad::group_norm<groups>(x, scale, offset, epsilon): epsilon is not a number, or has another "
                                     "element type than x; write 1e-3_c");
    if constexpr (f != fault::none) return refused{};
    else return apply<O>(x, epsilon);
}
}
/// Group normalization (Wu, He 2018) of x [examples, ..., channels]: the channels of each example are split into `Groups`
/// equal parts. Each part is standardized over its channels and all axes between, then multiplied by scale and added to
/// offset, both [channels]. `group_norm<8>(x, scale, offset)`. epsilon is a number, 1e-3 if it is not given, as in Keras;
/// PyTorch has 1e-5.
/// Gradient: that of layer_norm, with means over each part.
template<std::int64_t Groups, class A, class S, class O, class E = detail::usual_epsilon>
constexpr auto group_norm(A const& x, S const& scale, O const& offset, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_last_axes<A, S, O>();
    static_assert(fits, "xgrad::group_norm<groups>(x, scale, offset, epsilon): x is not float or double, or scale and offset do not have "
                        "its type and the shape of its last axis; declare scale as variable<\"scale\", float, 16>");
    if constexpr (!Expr<A> || !Expr<S> || !Expr<O> || !Expr<E>) return detail::refuse_operand<A, S, O, E>();
    else if constexpr (!fits) return detail::refused{};
    else return detail::groups_standardized<Groups>(x, epsilon) * scale + offset;
}
/// Instance normalization (Ulyanov, Vedaldi, Lempitsky 2016) of x [examples, ..., channels] with at least three axes. Each
/// channel of each example is standardized over the axes between. It is multiplied by scale and added to offset, both
/// [channels]. epsilon is a number, 1e-3 if it is not given; PyTorch has 1e-5.
/// Gradient: that of layer_norm, with means over the axes between.
template<class A, class S, class O, class E = detail::usual_epsilon>
constexpr auto instance_norm(A const& x, S const& scale, O const& offset, E const& epsilon = {}) {
    constexpr bool fits = detail::fit_last_axes<A, S, O>();
    constexpr bool axes = [] {
        if constexpr (Expr<A>) return value_of<A>.wrong != fault::none || value_of<A>.dims.rank >= 3;
        else return true;
    }();
    static_assert(fits, "xgrad::instance_norm(x, scale, offset, epsilon): x is not float or double, or scale and offset do not have its "
                        "type and the shape of its last axis; declare scale as variable<\"scale\", float, 16>");
    static_assert(axes, "xgrad::instance_norm(x, scale, offset): x has fewer than three axes, so nothing is between examples and channels; "
                        "write layer_norm, or expand_dims");
    if constexpr (!Expr<A> || !Expr<S> || !Expr<O> || !Expr<E>) return detail::refuse_operand<A, S, O, E>();
    else if constexpr (!fits || !axes) return detail::refused{};
    else return detail::standardized_between<op::standardize, 1, value_of<A>.dims.rank - 1>(x, epsilon) * scale + offset;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
