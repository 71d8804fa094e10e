// SPDX-License-Identifier: MIT
// Convolution layers with their own variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/refused_layer.hpp>
#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/ops/convolution/convolution_transpose.hpp>
#include <xgrad/ops/random.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Convolution(x, w) or Convolution(x, w) + b, where w belongs to the layer. `Filter` is the shape that the convolution reads w in.
template<class Convolution, shape Filter>
struct convolution_layer : composite_op {
    using convolution = xgrad::detail::op_traits<Convolution>;
    static constexpr std::string_view name = "convolution_layer";
    static constexpr int owned = 1;
    template<class X, class W>
    using product = node<Convolution, X, decltype(xgrad::detail::reshaped_to<Filter>(W{}))>;
    template<class X, class W, class... B>
    struct shared_node {
        using type = product<X, W>;
    };
    template<class X, class W, class B>
    struct shared_node<X, W, B> {
        using type = node<add, product<X, W>, B>;
    };
    template<class X, class W, class... B>
    using shared = typename shared_node<X, W, B...>::type;
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        return {v[0].type, convolution::attrs.target(), fault::none};
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int count, attributes const&) {
        symbol const w = t.info(x[1]).dims == Filter ? x[1] : reshape_to(x[1], Filter);
        symbol const y = apply_with<typename convolution::op>(convolution::attrs, x[0], w);
        return count > 2 ? y + x[2] : y;
    }
};
}

namespace detail {
enum class layer_kind { plain, depthwise, transposed };
/// What a layer of convolutions is, apart from its input. `filters` is the multiplier of a depthwise one.
struct layer_shape {
    layer_kind kind;
    int axes;
    std::int64_t filters;
    per_axis size;
    window how;
    per_axis output_padding = -1;

    constexpr shape variable(std::int64_t channels) const {
        shape s{axes + 2, {}};
        for (int i = 0; i < axes; ++i) s.extents[i] = static_extent(size[i]);
        bool const back = kind == layer_kind::transposed;
        s.extents[axes] = static_extent(back ? filters / how.groups : kind == layer_kind::plain ? channels / how.groups : channels);
        s.extents[axes + 1] = static_extent(back ? channels : filters);
        return s;
    }
    constexpr std::int64_t results(std::int64_t channels) const { return kind == layer_kind::depthwise ? channels * filters : filters; }
};
template<fixed_string Name, class T, shape S, std::size_t... I>
constexpr auto filter_variable(std::index_sequence<I...>) {
    return variable_type<Name, T, true, S.extents[I].constant...>{};
}
enum class layer_slip { none, wrong, type, rank, filters, size, groups };
template<layer_shape L, class X>
constexpr layer_slip slip_of_layer() {
    value_info const& x = value_of<X>;
    if (x.wrong != fault::none) return layer_slip::wrong;
    if (!is_floating(computed_type(x.type))) return layer_slip::type;
    if (x.dims.rank != L.axes + 2 || !x.dims.extents[L.axes + 1].is_static()) return layer_slip::rank;
    if (L.filters < 1) return layer_slip::filters;
    if (!L.size.fits(L.axes) || !L.size.at_least(1)) return layer_slip::size;
    std::int64_t const g = L.how.groups, channels = x.dims.extents[L.axes + 1].constant;
    return g < 1 || L.filters % g != 0 || channels % g != 0 || (L.kind == layer_kind::depthwise && g != 1) ? layer_slip::groups
                                                                                                           : layer_slip::none;
}
/// The convolution of a layer without its bias, of x with the variable w.
template<layer_shape L, class X, class W>
constexpr auto convolve_layer(X const& x, W const& w) {
    if constexpr (L.kind == layer_kind::transposed) return convolve_back<L.axes, L.how, L.output_padding>(x, w);
    else if constexpr (L.kind == layer_kind::depthwise) return convolve_by_channel<L.axes, L.how>(x, w);
    else return convolve<L.axes, L.how>(x, w);
}
/// The layer's operation, made of the node of such a convolution.
template<class Node>
struct layer_op;
template<class Op, class X, class W>
struct layer_op<node<Op, X, W>> {
    using type = op::convolution_layer<Op, value_of<W>.dims>;
};
template<fixed_string Name, class T, std::int64_t N, bool UseBias>
struct layer_bias {};
template<fixed_string Name, class T, std::int64_t N>
struct layer_bias<Name, T, N, true> {
    static constexpr variable_type<join_names<Name, "b">(), T, true, N> b{};
};
template<class X>
using layer_element = cpp_type_t<computed_type(value_of<X>.type)>;
template<class X>
inline constexpr std::int64_t layer_channels = value_of<X>.dims.extents[value_of<X>.dims.rank - 1].constant;
}

namespace nn {
/// The convolution of x with the variable w, plus the variable b.
template<fixed_string Name, detail::layer_shape L, bool UseBias, bool Shared, class X>
struct convolution_layer : let<convolution_layer<Name, L, UseBias, Shared, X>>,
                           detail::layer_bias<Name, detail::layer_element<X>, L.results(detail::layer_channels<X>), UseBias> {
    static constexpr shape filter = L.variable(detail::layer_channels<X>);
    static constexpr auto w = detail::filter_variable<join_names<Name, "w">(), detail::layer_element<X>, filter>(
        std::make_index_sequence<static_cast<std::size_t>(filter.rank)>{});
    static constexpr auto value() {
        using product = decltype(detail::convolve_layer<L>(X{}, w));
        if constexpr (std::is_same_v<product, detail::refused>) return product{};
        else if constexpr (Shared && UseBias) return detail::convolve_layer<L>(X{}, w) + convolution_layer::b;
        else if constexpr (Shared) return detail::convolve_layer<L>(X{}, w);
        else if constexpr (UseBias) return apply<typename detail::layer_op<product>::type>(X{}, w, convolution_layer::b);
        else return apply<typename detail::layer_op<product>::type>(X{}, w);
    }
};
}
namespace detail {
template<fixed_string Name, layer_shape L, bool UseBias, bool Shared, class X>
constexpr auto layer_of_convolutions(X const&) {
    constexpr layer_slip slip = slip_of_layer<L, X>();
    static_assert(slip != layer_slip::type,
        "xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>(x): x is neither float nor double; write cast<float>(x)");
    static_assert(slip != layer_slip::rank,
        "xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>(x): x is not [batch, spatial..., channels] with an integer "
        "of channels; write reshape or expand_dims");
    static_assert(slip != layer_slip::filters,
        "xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>(x): the number of filters is below 1; write a positive one");
    static_assert(slip != layer_slip::size,
        "xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>(x): the size is below 1 or has another number of axes; write "
        "one number, or per_axis{3, 5}");
    static_assert(slip != layer_slip::groups,
        "xgrad::nn::conv1d, conv2d, conv3d and the like, <name, filters, size>(x): groups is not a divisor of the channels and of the "
        "filters; write such a number");
    if constexpr (slip != layer_slip::none) return refused_layer{};
    else {
        using layer = nn::convolution_layer<Name, L, UseBias, Shared, X>;
        if constexpr (std::is_same_v<decltype(layer::value()), refused>) return refused_layer{};
        else return layer{};
    }
}
template<class... A>
inline constexpr bool is_layer_of_convolutions = false;
template<class X>
inline constexpr bool is_layer_of_convolutions<X> = Expr<X>;
template<class X>
inline constexpr bool is_layer_of_convolutions<X, nn::shared_tag> = Expr<X>;
template<class... A>
constexpr refused_layer refuse_convolution_layer() {
    static_assert(sizeof...(A) == 0,
        "xgrad::nn::conv1d, conv2d, conv3d and the like: name, filters and size are not alone in angle brackets, or x is not the only "
        "argument; write conv2d<\"first\", 16, 3>(x)");
    return {};
}
/// Whether the third of the numbers is no window: a padding, a stride.
template<auto... N>
inline constexpr bool has_wrong_window = false;
template<auto A, auto B, auto W, auto... N>
inline constexpr bool has_wrong_window<A, B, W, N...> = !std::is_same_v<std::remove_const_t<decltype(W)>, window>;
template<class... A>
constexpr refused_layer refuse_window_of_layer() {
    static_assert(sizeof...(A) == 0,
        "xgrad::nn::conv1d, conv2d, conv3d and the like: after the size comes something other than a window, such as a padding or a "
        "stride; write conv2d<\"first\", 16, 3, window{.strides = 2, .padding = window_padding::same}>(x)");
    return {};
}
}
namespace nn {

/// conv2d<How>(x, w) + b with the variables "Name/w" [Size..., channels / groups, Filters] and "Name/b" [Filters]:
/// `conv2d<"first", 16, 3, window{.padding = window_padding::same}>(x)` for x [batch, height, width, channels]. Size is one number or
/// `per_axis{3, 5}`. `UseBias` false omits b. glorot_uniform initializes w as Keras does. Two layers of one program need different names,
/// unless one shares the variables of the other: `conv2d<"first", 16, 3>(x, nn::shared)`.
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv2d(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 2, Filters, Size, How}, UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv2d(X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 2, Filters, Size, How}, UseBias, true>(x);
}
/// The same for x [batch, length, channels].
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv1d(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 1, Filters, Size, How}, UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv1d(X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 1, Filters, Size, How}, UseBias, true>(x);
}
/// The same for x [batch, depth, height, width, channels].
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv3d(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 3, Filters, Size, How}, UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv3d(X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::plain, 3, Filters, Size, How}, UseBias, true>(x);
}
/// depthwise_conv2d<How>(x, w) + b with the variables "Name/w" [Size..., channels, Multiplier] and "Name/b" [channels · Multiplier].
template<fixed_string Name, std::int64_t Multiplier, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto depthwise_conv2d(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::depthwise, 2, Multiplier, Size, How}, UseBias,
        false>(x);
}
template<fixed_string Name, std::int64_t Multiplier, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto depthwise_conv2d(
    X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::depthwise, 2, Multiplier, Size, How}, UseBias, true>(
        x);
}
/// The same for x [batch, length, channels].
template<fixed_string Name, std::int64_t Multiplier, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto depthwise_conv1d(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::depthwise, 1, Multiplier, Size, How}, UseBias,
        false>(x);
}
template<fixed_string Name, std::int64_t Multiplier, per_axis Size, window How = window{}, bool UseBias = true, Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto depthwise_conv1d(
    X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::depthwise, 1, Multiplier, Size, How}, UseBias, true>(
        x);
}
/// conv2d_transpose<How, OutputPadding>(x, w) + b with the variables "Name/w" [Size..., Filters / groups, channels] and "Name/b" [Filters].
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv2d_transpose(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 2, Filters, Size, How, OutputPadding},
        UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv2d_transpose(
    X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 2, Filters, Size, How, OutputPadding},
        UseBias, true>(x);
}
/// The same for x [batch, length, channels].
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv1d_transpose(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 1, Filters, Size, How, OutputPadding},
        UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv1d_transpose(
    X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 1, Filters, Size, How, OutputPadding},
        UseBias, true>(x);
}
/// The same for x [batch, depth, height, width, channels].
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv3d_transpose(X const& x) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 3, Filters, Size, How, OutputPadding},
        UseBias, false>(x);
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, per_axis OutputPadding = -1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto conv3d_transpose(
    X const& x, shared_tag) {
    return detail::layer_of_convolutions<Name, detail::layer_shape{detail::layer_kind::transposed, 3, Filters, Size, How, OutputPadding},
        UseBias, true>(x);
}
/// separable_conv2d<How>(x, depthwise, pointwise) + b: the layers `depthwise_conv2d<"Name/depthwise", Multiplier, Size, How>` without bias
/// and `conv2d<"Name/pointwise", Filters, 1>`. Their variables are "Name/depthwise/w", "Name/pointwise/w" and "Name/pointwise/b".
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, std::int64_t Multiplier = 1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto separable_conv2d(X const& x) {
    return conv2d<join_names<Name, "pointwise">(), Filters, 1, window{}, UseBias>(
        depthwise_conv2d<join_names<Name, "depthwise">(), Multiplier, Size, How, false>(x));
}
template<fixed_string Name, std::int64_t Filters, per_axis Size, window How = window{}, std::int64_t Multiplier = 1, bool UseBias = true,
    Expr X>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto separable_conv2d(
    X const& x, shared_tag) {
    return conv2d<join_names<Name, "pointwise">(), Filters, 1, window{}, UseBias>(
        depthwise_conv2d<join_names<Name, "depthwise">(), Multiplier, Size, How, false>(x, shared), shared);
}

// catches conv2d(x, 16, 3), conv2d<"c">(x, 16, 3), conv2d<"c", 16>(x), conv2d<"c", 16, 3>(x, relu), conv2d<"c", 16, 3, 2>(x)
#define XGRAD_REFUSED_LAYER(name) \
    template<class X, class... A> \
    constexpr auto name(X const&, A const&...) { \
        return detail::refuse_convolution_layer<X, A...>(); \
    } \
    template<fixed_string Name, auto... N, class... A> \
        requires(sizeof...(N) < 2 || !detail::is_layer_of_convolutions<A...> || detail::has_wrong_window<N...>) \
    constexpr auto name(A const&...) { \
        if constexpr (detail::has_wrong_window<N...>) return detail::refuse_window_of_layer<decltype(Name), A...>(); \
        else return detail::refuse_convolution_layer<decltype(Name), A...>(); \
    }
XGRAD_REFUSED_LAYER(conv1d)
XGRAD_REFUSED_LAYER(conv2d)
XGRAD_REFUSED_LAYER(conv3d)
XGRAD_REFUSED_LAYER(depthwise_conv1d)
XGRAD_REFUSED_LAYER(depthwise_conv2d)
XGRAD_REFUSED_LAYER(separable_conv2d)
XGRAD_REFUSED_LAYER(conv1d_transpose)
XGRAD_REFUSED_LAYER(conv2d_transpose)
XGRAD_REFUSED_LAYER(conv3d_transpose)
#undef XGRAD_REFUSED_LAYER

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
