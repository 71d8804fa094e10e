// SPDX-License-Identifier: MIT
// A chain of layers as a function of expressions, and the table of its layers, shapes and parameters.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape_names.hpp>
#include <xgrad/core/walk.hpp>
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/residual.hpp>
#include <xgrad/ops/random.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The operation Activation of y, or y.
template<class Activation, class Y>
constexpr auto activated(Y const& y) {
    if constexpr (std::is_void_v<Activation>) return y;
    else return elementwise<Activation>{}(y);
}
/// Percent / 100.
template<int Percent>
using hundredths = literal<std::bit_cast<std::uint64_t>(Percent / 100.0)>;
/// The shape of x with other axes after the first.
template<class X, auto... D>
constexpr shape with_first_of() {
    if constexpr (value_of<X>.dims.rank == 0) return value_of<X>.dims;
    else return joined({1, {value_of<X>.dims.extents[0]}}, make_shape<D...>());
}
template<class X>
constexpr shape flat_examples() {
    shape s{2, {static_extent(1), static_extent(1)}};
    for (int i = 0; i < value_of<X>.dims.rank; ++i) s.extents[i > 0] = s.extents[i > 0] * value_of<X>.dims.extents[i];
    return s;
}
}
namespace nn {
/// Layers without a name, for sequential, which names them. Each is a function object without state.
namespace layer {
/// nn::dense, followed by the operation Activation if one is given: `layer::dense<64, op::relu>{}`.
template<std::int64_t Units, class Activation = void>
struct dense {
    static constexpr auto name = fixed_string("dense");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::dense<Name, Units>(x));
    }
};
/// nn::batch_norm with Keras' numbers.
template<affine Parts = affine::both, moving_variance Moving = moving_variance::of_batch>
struct batch_norm {
    static constexpr auto name = fixed_string("batch_norm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::batch_norm<Name, Parts, Moving>(x);
    }
};
/// nn::layer_norm with Keras' numbers.
template<affine Parts = affine::both>
struct layer_norm {
    static constexpr auto name = fixed_string("layer_norm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::layer_norm<Name, Parts>(x);
    }
};
/// xgrad::dropout of Percent elements of a hundred: `layer::dropout<50>{}`.
template<int Percent>
struct dropout {
    static constexpr auto name = fixed_string("dropout");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::dropout<Name>(x, detail::hundredths<Percent>{});
    }
};
/// An element-wise operation: `layer::activation<op::tanh>{}`.
template<class Activation>
struct activation {
    static constexpr auto name = fixed_string("activation");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return elementwise<Activation>{}(x);
    }
};
/// [batch, all other axes joined].
struct flatten {
    static constexpr auto name = fixed_string("flatten");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::reshaped_to<detail::flat_examples<X>()>(x);
    }
};
/// Each example in the shape D...: `layer::reshape<4, 4, 8>{}` is [batch, 4, 4, 8].
template<auto... D>
struct reshape {
    static constexpr auto name = fixed_string("reshape");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        constexpr shape target = detail::with_first_of<X, D...>();
        constexpr bool fits = detail::fault_of<detail::with_shape<op::reshape, target>, X>() != fault::shapes;
        static_assert(fits, "xgrad::nn::layer::reshape<extents...>: an example of the layer before has another number of elements; write "
                            "extents with the same product, without the batch");
        if constexpr (fits) return detail::reshaped_to<target>(x);
        else return detail::refused{};
    }
};
/// Layers as one layer, whose names begin with that of the group: "net/group2/dense0/w".
template<class... Layer>
struct group;
/// x + f(x), where f is these layers: `layer::residual<layer::dense<8, op::relu>, layer::dense<8>>{}`. A lambda is a layer as
/// `decltype([](auto h) { ... })`.
template<class... Layer>
struct residual;
/// shortcut(x) + f(x), where f is these layers, for residuals whose shape changes.
template<class Shortcut, class... Layer>
struct residual_with;
}   // namespace layer

/// The result of the first Count layers.
template<fixed_string Name, unsigned Count, class X, class... Layer>
struct sequential_output;
}
namespace detail {
template<class Layer>
concept NamedLayer = requires { Layer::name; };
template<unsigned K, class First, class... Rest>
constexpr auto layer_at() {
    if constexpr (K == 0) return First{};
    else return layer_at<K - 1, Rest...>();
}
template<fixed_string Name, unsigned K, class Layer>
constexpr auto name_of_layer() {
    if constexpr (NamedLayer<Layer>) return join_names<Name, numbered<Layer::name, K>>();
    else return fixed_string("function");
}
template<class Layer>
inline constexpr bool is_layer = std::is_empty_v<Layer> && std::is_default_constructible_v<Layer> && !Expr<Layer>;
}
namespace nn {
template<fixed_string Name, unsigned Count, class X, class... Layer>
struct sequential_output : let<sequential_output<Name, Count, X, Layer...>> {
    static constexpr auto value() {
        if constexpr (Count == 0) return X{};
        else {
            using last = decltype(detail::layer_at<Count - 1, Layer...>());
            using below = sequential_output<Name, Count - 1, X, Layer...>;
            if constexpr (detail::NamedLayer<last>) return last::template make<detail::name_of_layer<Name, Count - 1, last>()>(below{});
            else return last{}(below{});
        }
    }
};
/// A chain of layers: a function object, which `sequential` makes.
template<fixed_string Name, class... Layer>
struct sequential_model {
    template<Expr X>
    constexpr auto operator()(X const&) const {
        return sequential_output<Name, sizeof...(Layer), X, Layer...>{};
    }
};
namespace layer {
template<class... Layer>
struct group {
    static constexpr auto name = fixed_string("group");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return sequential_model<Name, Layer...>{}(x);
    }
};
template<class... Layer>
struct residual {
    static constexpr auto name = fixed_string("residual");
    template<fixed_string Name, class X>
    static constexpr auto make(X const&) {
        return residual_block<sequential_model<Name, Layer...>, X>{};
    }
};
template<class Shortcut, class... Layer>
struct residual_with {
    static constexpr auto name = fixed_string("residual");
    template<fixed_string Name, class X>
    struct block : let<block<Name, X>> {
        static constexpr auto value() {
            return sequential_model<join_names<Name, "shortcut">(), Shortcut>{}(X{}) + sequential_model<Name, Layer...>{}(X{});
        }
    };
    template<fixed_string Name, class X>
    static constexpr auto make(X const&) {
        return block<Name, X>{};
    }
};
}
/// A chain of layers under one name, a function of x (Keras' Sequential):
///
///     constexpr auto net = xg::nn::sequential<"net">(xg::nn::layer::dense<64>{}, xg::nn::layer::batch_norm<>{},
///         xg::nn::layer::activation<xg::op::relu>{}, [](auto h) { return xg::nn::dense<"out", 10>(h); });
///     constexpr auto logits = net(x);
///
/// Layers of images are in <xgrad/nn/sequential/images.hpp>, of sequences in sequential/sequences.hpp, blocks of transformers in
/// sequential/transformer.hpp, other normalizations and noise in sequential/norms.hpp; <xgrad/all.hpp> includes them.
///
/// The layers of nn::layer get the name of the chain, their kind and their position: the variables of the first one are "net/dense0/w" and
/// "net/dense0/b". Lambdas without captures and other function objects without state name their variables themselves. The result is an
/// expression: eval(logits), nn::updates(loss) and gradients work as for any other. A chain that is called for two inputs names each
/// layer twice, which is an error.
template<fixed_string Name, class... Layer>
constexpr auto sequential(Layer const&...) {
    constexpr bool layers = (detail::is_layer<Layer> && ...);
    static_assert(layers,
        "xgrad::nn::sequential<name>(layer...): a layer is not a function object without state; write nn::layer::dense<64>{}, or a lambda "
        "without captures");
    if constexpr (layers) return sequential_model<Name, Layer...>{};
    else return [](auto const&) { return detail::refused{}; };
}
}
namespace detail {
/// A row of the table: the layer's name, its result, and its parameters, which no row above has.
struct layer_row {
    std::string_view name;
    shape result;
    extent parameters;
};
template<std::size_t N>
struct layer_table {
    layer_row rows[N + 1]{};
    extent trained{}, other{};
};
template<std::size_t N>
constexpr layer_table<N> rows_of_layers(node_info const* const (&results)[N + 1], std::string_view const (&names)[N + 1]) {
    layer_table<N> r{};
    node_map seen;
    sequence<std::uint64_t> known;
    for (std::size_t k = 0; k <= N; ++k) {
        extent count{};
        walk(seen, results[k], [&](node_info const* n, int const*) {
            bool found = n->op->kind != op_kind::variable;
            for (std::uint64_t const hash : known) found = found || hash == n->attrs.name_hash;
            if (found) return 0;
            known.push(n->attrs.name_hash);
            extent size = static_extent(1);
            for (int i = 0; i < n->value.dims.rank; ++i) size = size * n->value.dims.extents[i];
            count = count + size;
            extent& sum = n->attrs.template as<variable_attributes>().trainable != 0 ? r.trained : r.other;
            sum = sum + size;
            return 0;
        });
        r.rows[k] = {names[k], results[k]->value.dims, count};
    }
    return r;
}
template<class... A>
constexpr std::size_t columns_of(A const&... a) {
    shape_writer w{nullptr};
    (w.add(a), ...);
    return w.count;
}
template<std::size_t N>
constexpr void write_table(shape_writer& out, layer_table<N> const& t) {
    std::size_t name = 5, result = 12, number = 10;
    for (auto const& row : t.rows) {
        if (row.name.size() > name) name = row.name.size();
        if (std::size_t const n = columns_of(row.result); n > result) result = n;
        if (std::size_t const n = columns_of(row.parameters); n > number) number = n;
    }
    auto const pad = [&](std::size_t from, std::size_t to) {
        for (; from < to; ++from) out.add(" ");
    };
    out.add("layer");
    pad(5, name + 2);
    out.add("output shape");
    pad(12, result + 2 + number - 10);
    out.add("parameters\n");
    for (auto const& row : t.rows) {
        out.add(row.name);
        pad(row.name.size(), name + 2);
        out.add(row.result);
        pad(columns_of(row.result) + columns_of(row.parameters), result + 2 + number);
        out.add(row.parameters);
        out.add("\n");
    }
    out.add("total: ");
    out.add(t.trained + t.other);
    out.add(" parameters, trainable ");
    out.add(t.trained);
    out.add(", not trainable ");
    out.add(t.other);
    out.add("\n");
}
template<fixed_string Name, class X, class... Layer>
struct summary_of {
    static constexpr std::size_t count = sizeof...(Layer);
    static constexpr auto names = []<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple(name_of_layer<Name, K, Layer>()...);
    }(std::make_index_sequence<count>{});
    static constexpr auto table = []<std::size_t... K>(std::index_sequence<K...>) {
        node_info const* const results[count + 1]{info_of<X>, info_of<nn::sequential_output<Name, K + 1, X, Layer...>>...};
        std::string_view const rows[count + 1]{"input", std::get<K>(names).view()...};
        return rows_of_layers<count>(results, rows);
    }(std::make_index_sequence<count>{});
    static constexpr std::size_t size = [] {
        shape_writer w{nullptr};
        write_table(w, table);
        return w.count;
    }();
    struct buffer {
        char at[size + 1]{};
    };
    static constexpr buffer text = [] {
        buffer b{};
        shape_writer w{b.at};
        write_table(w, table);
        return b;
    }();
};
}
namespace nn {
/// The layers of a chain for an input, as a text that the compiler makes (Keras' summary). Each layer has its name, the shape of its
/// result and the number of its parameters; the totals are below. Variables that a layer shares with one above are counted there.
/// `std::puts(nn::summary(net, x).data())`.
template<fixed_string Name, class... Layer, Expr X>
constexpr std::string_view summary(sequential_model<Name, Layer...> const&, X const&) {
    using made = detail::summary_of<Name, X, Layer...>;
    return {made::text.at, made::size};
}
}
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
