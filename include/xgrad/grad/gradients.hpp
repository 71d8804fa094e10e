// SPDX-License-Identifier: MIT
// gradients(y, x...): gradients as expressions, each of its own type: dense, indexed_slices, or none where nothing connects y and x.
#pragma once

#include <xgrad/grad/reverse.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

/// Several ys whose gradients are summed: `gradients(ys(a, b), x)`.
template<class... Y>
struct y_list {};
template<Expr... Y>
constexpr y_list<Y...> ys(Y const&...) {
    return {};
}

/// The gradient of an x that y does not depend on.
struct none {};

namespace op {
/// Operands: ys, then xs. integer: number of ys, number of xs, which x, which part (0 dense, 1 values, 2 indices).
struct gradient {
    static constexpr value_info infer(value_info const* v, int, attributes const& a) {
        value_info r = v[a.integer[0] + a.integer[2]];
        if (a.integer[3] == 2) r.type = dtype::int32;   // refined by the expansion
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* in, int count, attributes const& a) {
        auto& b = static_cast<table_builder&>(t);
        auto const y_count = static_cast<int>(a.integer[0]), x_count = static_cast<int>(a.integer[1]),
                   which = static_cast<int>(a.integer[2]);
        std::vector<int> key{y_count};
        for (int i = 0; i < count; ++i) key.push_back(in[i].index);
        std::size_t k = 0;
        while (k < b.sweep_keys.size() && b.sweep_keys[k] != key) ++k;
        if (k == b.sweep_keys.size()) {
            std::vector<adjoint> out(static_cast<std::size_t>(x_count), adjoint{});
            reverse_sweep(b).run(in, nullptr, y_count, in + y_count, x_count, nullptr, 0, out.data());
            std::vector<symbol> found;
            for (auto const& o : out) {
                found.push_back(o.dense);
                found.push_back(o.values);
                found.push_back(o.indices);
            }
            b.sweep_keys.push_back(key);
            b.sweep_results.push_back(found);
        }
        symbol const* r = b.sweep_results[k].data() + 3 * which;
        if (a.integer[3] == 0 && r[1].exists()) return densify(r[1], r[2], b.info(in[y_count + which]).dims);
        return r[a.integer[3]];
    }
    static constexpr op_info describe() {
        op_info r = make_op("gradient", op_kind::gradient, infer, nullptr);
        r.expand = expand;
        return r;
    }
};
}

namespace detail {
/// For each x: 0 unconnected, 1 dense, 2 slices.
template<int Capacity>
constexpr void find_kinds(node_info const* const* y, int y_count, node_info const* const* x, int x_count, char* kinds) {
    table_storage<Capacity> s{};
    table_builder b(s);
    node_map seen;
    symbol in[max_operands * 4]{}, at[max_operands * 4]{};
    adjoint out[max_operands * 4]{};
    for (int i = 0; i < y_count; ++i) in[i] = flatten(b, seen, y[i]);
    for (int i = 0; i < x_count; ++i) at[i] = flatten(b, seen, x[i]);
    reverse_sweep(b).run(in, nullptr, y_count, at, x_count, nullptr, 0, out);
    for (int i = 0; i < x_count; ++i) kinds[i] = out[i].sparse() ? 2 : out[i].exists() ? 1 : 0;
}
template<class... Y, class... X>
constexpr auto gradient_kinds(y_list<Y...>, X const&...) {
    constexpr node_info const* y[]{info_of<Y>...};
    constexpr node_info const* x[]{info_of<X>...};
    struct {
        char at[sizeof...(X)]{};
    } r;
    find_kinds<14 * (count_nodes(y, sizeof...(Y)) + static_cast<int>(sizeof...(X))) + 160>(y, sizeof...(Y), x, sizeof...(X), r.at);
    return r;
}
}

/// The gradient of a table that is only read by index: row `indices[k]` of the dense gradient is the sum of `values[k]`. Duplicates are not merged.
/// values: [n, row...], indices: [n]; both are expressions. `dense` is the dense tensor.
template<class Values, class Indices, class Dense>
struct indexed_slices {
    Values values;
    Indices indices;
    Dense dense;
};
template<class V, class I, class D>
indexed_slices(V, I, D) -> indexed_slices<V, I, D>;

namespace detail {
template<class G>
inline constexpr bool is_indexed_slices = false;
template<class V, class I, class D>
inline constexpr bool is_indexed_slices<indexed_slices<V, I, D>> = true;
}
/// What a gradient is: nothing, because y does not depend on x ...
template<class G>
concept NoGradient = std::is_same_v<std::remove_cvref_t<G>, none>;
/// ... rows by index, because x is only read by index ...
template<class G>
concept SparseGradient = detail::is_indexed_slices<std::remove_cvref_t<G>>;
/// ... or an expression of x's shape.
template<class G>
concept DenseGradient = Expr<G>;

/// Gradients as one expression type per part.
template<int Part, std::int64_t Index, class Ys, class... X>
struct gradient;
template<int Part, std::int64_t Index, class... Y, class... X>
struct gradient<Part, Index, y_list<Y...>, X...> : expression_base {
    static constexpr node_info const* operands[] = {info_of<Y>..., info_of<X>...};
    static constexpr node_info info = detail::make_info(op_register<op::gradient>::info,
        attributes{.integer = {sizeof...(Y), sizeof...(X), Index, Part}, .number = 0, .name_hash = 0, .name = {}, .target = {}}, operands,
        static_cast<int>(sizeof...(Y) + sizeof...(X)));
};

namespace detail {
template<char Kind, std::size_t I, class Ys, class... X>
constexpr auto make_gradient() {
    if constexpr (Kind == 0) return none{};
    else if constexpr (Kind == 1) return gradient<0, static_cast<std::int64_t>(I), Ys, X...>{};
    else
        return indexed_slices<gradient<1, static_cast<std::int64_t>(I), Ys, X...>, gradient<2, static_cast<std::int64_t>(I), Ys, X...>,
            gradient<0, static_cast<std::int64_t>(I), Ys, X...>>{};
}
template<class Ys, class... X, std::size_t... I>
constexpr auto make_gradients(std::index_sequence<I...>) {
    constexpr auto kinds = gradient_kinds(Ys{}, X{}...);
    return std::tuple<decltype(make_gradient<kinds.at[I], I, Ys, X...>())...>{};
}
}

namespace detail {
enum class y_state : unsigned char { good, silent, no_expression, not_floating };
template<Expr... Y>
constexpr y_state floating_ys() {
    y_state r = y_state::good;
    ((r = value_of<Y>.wrong != fault::none                       ? y_state::silent
          : r == y_state::good && !is_floating(value_of<Y>.type) ? y_state::not_floating
                                                                 : r),
        ...);
    return r;
}
template<class Y>
constexpr y_state differentiable(Y const*) {
    if constexpr (Expr<Y>) return floating_ys<Y>();
    else return y_state::no_expression;
}
template<class... Y>
constexpr y_state differentiable(y_list<Y...> const*) {
    return floating_ys<Y...>();
}
template<class Y>
inline constexpr std::size_t y_count = 1;
template<class... Y>
inline constexpr std::size_t y_count<y_list<Y...>> = sizeof...(Y);
}

/// Gradients of the sum of all elements of y with respect to x... (variables, inputs or any expressions), as a tuple of expressions. They can be
/// used in further expressions and differentiated again. An x that depends on another x counts with its total derivative.
template<class Y, Expr... X>
constexpr auto gradients(Y const&, X const&...) {
    constexpr auto state = detail::differentiable(static_cast<Y const*>(nullptr));
    constexpr bool too_many = sizeof...(X) + detail::y_count<Y> > max_operands;
    static_assert(sizeof...(X) > 0, "xgrad::gradients(y, x...): name at least one x, a variable or another expression");
    static_assert(!too_many, "xgrad::gradients(y, x...): more than 32 ys and xs together; ask for the gradients of some xs at a time");
    static_assert(
        state != detail::y_state::no_expression, "xgrad::gradients(y, x...): y must be an expression, or ys(a, b) for the sum of several");
    static_assert(state != detail::y_state::not_floating, "xgrad::gradients(y, x...): y must be float or double; write cast<float>(y)");
    if constexpr (too_many || state != detail::y_state::good || sizeof...(X) == 0 || ((value_of<X>.wrong != fault::none) || ...))
        return std::tuple<std::conditional_t<true, detail::refused, X>...>{};
    else if constexpr (Expr<Y>) return detail::make_gradients<y_list<Y>, X...>(std::index_sequence_for<X...>{});
    else return detail::make_gradients<Y, X...>(std::index_sequence_for<X...>{});
}
/// The gradient with respect to one x.
template<class Y, Expr X>
constexpr auto gradient_of(Y const& y, X const& x) {
    return std::get<0>(gradients(y, x));
}

XGRAD_NAMESPACE_END
