// SPDX-License-Identifier: MIT
// Normalization of each example, with its own scale and offset.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/ops/normalization/in_training.hpp>
#include <xgrad/ops/normalization/layer_norm.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn {
/// Which variables a normalization has: a factor gamma, which begins at 1, and a summand beta, which begins at 0.
enum class affine : std::uint8_t { none, scale, offset, both };
}
namespace detail {
constexpr bool has_scale(nn::affine a) { return a == nn::affine::scale || a == nn::affine::both; }
constexpr bool has_offset(nn::affine a) { return a == nn::affine::offset || a == nn::affine::both; }
/// The variables of a normalization of x with these features.
template<fixed_string Name, class X>
struct channel_variables {
    using element = cpp_type_t<computed_type(value_of<X>.type)>;
    static constexpr std::int64_t features = value_of<X>.dims.extents[value_of<X>.dims.rank - 1].constant;
    static constexpr started_variable<start_at(1), join_names<Name, "gamma">(), element, true, features> gamma{};
    static constexpr started_variable<start_at(0), join_names<Name, "beta">(), element, true, features> beta{};
};
template<int Rank, class X>
constexpr bool norm_takes() {
    constexpr value_info v = value_of<X>;
    constexpr bool takes = v.wrong != fault::none ||
                           (v.dims.rank >= Rank && is_floating(computed_type(v.type)) && v.dims.extents[v.dims.rank - 1].is_static());
    static_assert(takes,
        "xgrad::nn: a normalization layer gets an x that is not float or double, has too few axes, or has no integer as last "
        "extent; write cast<float>(x), or reshape");
    return takes && v.wrong == fault::none;
}
/// y · gamma + beta with the variables that the layer has, which belong to it.
template<nn::affine Parts, bool Shared, class Variables, class X, class Y>
constexpr auto with_affine(X const& x, Y const& y) {
    auto const owned = [&](auto const& v, auto const& z) {
        if constexpr (Shared) return z;
        else return apply<op::of_layer>(x, v, z);
    };
    if constexpr (Parts == nn::affine::both) return owned(Variables::gamma, y * Variables::gamma + Variables::beta);
    else if constexpr (Parts == nn::affine::scale) return owned(Variables::gamma, y * Variables::gamma);
    else if constexpr (Parts == nn::affine::offset) return owned(Variables::beta, y + Variables::beta);
    else return y;
}
struct of_last_axis {
    static constexpr int axes = 1;
    template<class X, class E>
    static constexpr auto value(X const& x, E const& epsilon) {
        return standardize(x, epsilon);
    }
};
struct rms_of_last_axis {
    static constexpr int axes = 1;
    template<class X, class E>
    static constexpr auto value(X const& x, E const& epsilon) {
        return standardized<op::rms_normalize, -1>(x, epsilon);
    }
};
template<std::int64_t Groups>
struct of_groups {
    static constexpr int axes = 2;
    template<class X, class E>
    static constexpr auto value(X const& x, E const& epsilon) {
        return groups_standardized<Groups>(x, epsilon);
    }
};
struct of_instances {
    static constexpr int axes = 3;
    template<class X, class E>
    static constexpr auto value(X const& x, E const& epsilon) {
        return standardized_between<op::standardize, 1, value_of<X>.dims.rank - 1>(x, epsilon);
    }
};
}
namespace nn {

/// A normalization of x by How, with the variables "Name/gamma" and "Name/beta" [features of x] that Parts says.
template<class How, fixed_string Name, affine Parts, bool Shared, class X, class E>
struct norm_layer : let<norm_layer<How, Name, Parts, Shared, X, E>>, detail::channel_variables<Name, X> {
    static constexpr auto value() {
        return detail::with_affine<Parts, Shared, detail::channel_variables<Name, X>>(X{}, How::value(X{}, E{}));
    }
};
}
namespace detail {
template<class A>
inline constexpr bool is_norm_argument = Expr<A> || std::is_same_v<A, nn::shared_tag>;
template<class How, fixed_string Name, nn::affine Parts, bool Shared, class X, class E>
constexpr auto norm_of() {
    if constexpr (norm_takes<How::axes, X>()) return nn::norm_layer<How, Name, Parts, Shared, X, E>{};
    else return refused_layer{};
}
template<class... A>
constexpr refused_layer refuse_norm_without_name() {
    static_assert(never<A...>,
        "xgrad::nn::batch_norm, layer_norm and rms_norm: the name of the layer is not in angle brackets; write layer_norm<\"norm\">(x)");
    return {};
}
}
namespace nn {

/// Layer normalization of the last axis: xgrad::layer_norm with the variables "Name/gamma", which begins at 1, and
/// "Name/beta" at 0. `layer_norm<"ln">(x)`, `layer_norm<"ln", nn::affine::scale>(x, 1e-5_c)`. epsilon is 1e-3, as in Keras;
/// PyTorch has 1e-5. Two layers of one program need two names, unless one is `layer_norm<"ln">(other, nn::shared)`.
template<fixed_string Name, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto layer_norm(X const&, E const& = {}) {
    return detail::norm_of<detail::of_last_axis, Name, Parts, false, X, E>();
}
template<fixed_string Name, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto layer_norm(X const&, shared_tag, E const& = {}) {
    return detail::norm_of<detail::of_last_axis, Name, Parts, true, X, E>();
}
/// Root mean square normalization of the last axis: xgrad::rms_norm with the variable "Name/gamma", which begins at 1.
/// epsilon is 1e-6, as in Keras. Names and nn::shared are as for layer_norm.
template<fixed_string Name, affine Parts = affine::scale, Expr X, Expr E = detail::rms_epsilon>
constexpr auto rms_norm(X const&, E const& = {}) {
    return detail::norm_of<detail::rms_of_last_axis, Name, Parts, false, X, E>();
}
template<fixed_string Name, affine Parts = affine::scale, Expr X, Expr E = detail::rms_epsilon>
constexpr auto rms_norm(X const&, shared_tag, E const& = {}) {
    return detail::norm_of<detail::rms_of_last_axis, Name, Parts, true, X, E>();
}
/// Group normalization of x [examples, ..., channels]: xgrad::group_norm with the variables "Name/gamma" and "Name/beta".
/// `group_norm<"gn", 8>(x)`. epsilon is 1e-3, as in Keras. Names and nn::shared are as for layer_norm.
template<fixed_string Name, std::int64_t Groups, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto group_norm(X const&, E const& = {}) {
    return detail::norm_of<detail::of_groups<Groups>, Name, Parts, false, X, E>();
}
template<fixed_string Name, std::int64_t Groups, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto group_norm(X const&, shared_tag, E const& = {}) {
    return detail::norm_of<detail::of_groups<Groups>, Name, Parts, true, X, E>();
}
/// Instance normalization of x [examples, ..., channels]: xgrad::instance_norm with the variables "Name/gamma" and
/// "Name/beta". epsilon is 1e-3. Names and nn::shared are as for layer_norm.
template<fixed_string Name, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto instance_norm(X const&, E const& = {}) {
    return detail::norm_of<detail::of_instances, Name, Parts, false, X, E>();
}
template<fixed_string Name, affine Parts = affine::both, Expr X, Expr E = detail::usual_epsilon>
constexpr auto instance_norm(X const&, shared_tag, E const& = {}) {
    return detail::norm_of<detail::of_instances, Name, Parts, true, X, E>();
}

// catches layer_norm(x), rms_norm(x)
template<class... A>
constexpr auto layer_norm(A const&...) {
    return detail::refuse_norm_without_name<A...>();
}
template<class... A>
constexpr auto rms_norm(A const&...) {
    return detail::refuse_norm_without_name<A...>();
}
// catches layer_norm<"ln">(x, 1e-5f)
template<fixed_string Name, affine Parts = affine::both, class... A>
    requires(!(detail::is_norm_argument<A> && ...))
constexpr auto layer_norm(A const&...) {
    return detail::refuse_operand<A...>();
}
template<fixed_string Name, affine Parts = affine::both, class... A>
    requires(!(detail::is_norm_argument<A> && ...))
constexpr auto rms_norm(A const&...) {
    return detail::refuse_operand<A...>();
}
template<fixed_string Name, std::int64_t Groups, affine Parts = affine::both, class... A>
    requires(!(detail::is_norm_argument<A> && ...))
constexpr auto group_norm(A const&...) {
    return detail::refuse_operand<A...>();
}
template<fixed_string Name, affine Parts = affine::both, class... A>
    requires(!(detail::is_norm_argument<A> && ...))
constexpr auto instance_norm(A const&...) {
    return detail::refuse_operand<A...>();
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
