// SPDX-License-Identifier: MIT
// gradients(y, x...): gradients as expressions. Each has its own type: dense, indexed_slices, or none if y does not depend on x.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/captures.hpp>
#include <xgrad/grad/request.hpp>
#include <xgrad/grad/reverse.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The nodes where a reverse sweep begins and ends.
struct sweep_ends {
    symbol ys[max_region_operands], seeds[max_region_operands], xs[max_region_operands], stops[max_region_operands];
    int y_count, x_count, stop_count;

    constexpr void run(table_builder& b, adjoint* out) {
        for (int i = 0; i < y_count; ++i)
            if (seeds[i].exists()) {   // converted to the type and shape of y
                value_info const y = b.info(ys[i]);
                seeds[i] = op::broadcast_symbol(seeds[i] * b.constant(1, computed_type(y.type)), y.dims);
            }
        reverse_sweep(b).run(ys, seeds, y_count, xs, x_count, stops, stop_count, out);
    }
};
}

namespace op {
/// The gradient of one x. It may have several parts. Extents: the shape of values and indices.
struct gradient {
    using attributes = gradient_attributes;

    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        auto const asked = a.as<attributes>();
        value_info r = as_computed(v[asked.y_count + asked.x]);
        if (asked.part != attributes::dense) r.dims = a.target();
        if (asked.part == attributes::indices) r.type = dtype::int32;
        if (asked.part == attributes::wide_indices) r.type = dtype::int64;
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* in, int count, xgrad::attributes const& words) {
        auto& b = static_cast<table_builder&>(t);
        auto const a = words.as<attributes>();
        int found = find(b.sweeps, in, count, a);
        if (found < 0) {
            detail::sweep_ends e = ends(in, a);
            sequence<adjoint> out(e.x_count, adjoint{});
            e.run(b, out.at);
            b.sweeps.push(count);
            for (int i = 0; i < sweep_words; ++i) b.sweeps.push(sweep_word(a, i));
            for (int i = 0; i < count; ++i) b.sweeps.push(in[i].index);
            found = b.sweeps.count;
            for (auto const& o : out) {
                symbol const parts[]{o.dense, o.values, o.indices};
                for (symbol const& s : parts) b.sweeps.push(s.exists() ? s.index : -1);
            }
        }
        int const* r = b.sweeps.at + found + 3 * a.x;
        value_info const x = b.info(in[a.y_count + a.x]);
        if (a.part == attributes::dense && r[1] >= 0) return densify(b.at(r[1]), b.at(r[2]), x.dims);
        if (r[0] < 0 && r[1] < 0)
            return broadcast_symbol(b.constant(0, computed_type(x.type)), x.dims);   // zeros for an x that is not connected
        int const node = r[a.part == attributes::wide_indices ? attributes::indices : a.part];
        return node >= 0 ? b.at(node) : symbol{};
    }
    static constexpr op_info describe() {
        op_info r = make_op("gradient", op_kind::gradient, infer, nullptr);
        r.expand = expand;
        return r;
    }

private:
    static constexpr detail::sweep_ends ends(symbol const* in, attributes const& a) {
        detail::sweep_ends e{};
        e.y_count = a.y_count;
        e.x_count = a.x_count;
        e.stop_count = a.stop_count;
        for (int i = 0; i < e.y_count; ++i) e.ys[i] = *in++;
        for (int i = 0; i < e.x_count; ++i) e.xs[i] = *in++;
        for (int i = 0; i < e.y_count; ++i)
            if (a.seeds != 0) e.seeds[i] = *in++;
        for (int i = 0; i < e.stop_count; ++i) e.stops[i] = *in++;
        return e;
    }
    // Numbers that distinguish sweeps of the same operands. The first is the number of xs.
    static constexpr int sweep_words = 3;
    static constexpr int sweep_word(attributes const& a, int i) {
        return i == 0 ? a.x_count : i == 1 ? a.y_count | a.stop_count << 12 | a.zeros << 24 : a.seeds;
    }
    /// The position of this sweep's results, or -1. A sweep is stored as
    ///
    ///     number of operands | sweep words | nodes of the operands | for each x: dense, values, indices (-1: none)
    static constexpr int find(sequence<int> const& sweeps, symbol const* in, int count, attributes const& a) {
        for (int k = 0; k < sweeps.count; k += 1 + sweep_words + sweeps.at[k] + 3 * sweeps.at[k + 1]) {
            int const* const nodes_of_operands = sweeps.at + k + 1 + sweep_words;
            bool same = sweeps.at[k] == count;
            for (int i = 0; same && i < sweep_words; ++i) same = sweeps.at[k + 1 + i] == sweep_word(a, i);
            for (int i = 0; same && i < count; ++i) same = nodes_of_operands[i] == in[i].index;
            if (same) return k + 1 + sweep_words + count;
        }
        return -1;
    }
};
}

namespace detail {
enum class gradient_kind : unsigned char { none, dense, slices };
/// The kind of the gradient of one x; for slices also values and indices.
struct gradient_facts {
    gradient_kind kind;
    value_info values, indices;
};
/// The operands of a gradient as records: see gradient_attributes.
struct sweep_records {
    node_info const *const *ys, *const *xs, *const *seeds, *const *stops;   // seeds: one for each y, or null
    int y_count, x_count, seed_count, stop_count;
    bool zeros;
};
/// The operands of a gradient in one list.
template<int Count>
struct operand_records {
    node_info const* at[Count]{};
    constexpr explicit operand_records(sweep_records const& r) {
        int n = 0;
        for (int i = 0; i < r.y_count; ++i) at[n++] = r.ys[i];
        for (int i = 0; i < r.x_count; ++i) at[n++] = r.xs[i];
        for (int i = 0; i < r.seed_count; ++i) at[n++] = r.seeds[i];
        for (int i = 0; i < r.stop_count; ++i) at[n++] = r.stops[i];
    }
};
/// Flattens ys and adds their gradients.
/// Nodes are added in the order in which a gradient that is an output is flattened. Returns the first y.
constexpr int find_gradients(table_builder& b, sweep_records const& r, gradient_facts* facts, int* nodes) {
    node_map seen;
    sweep_ends e{};
    sequence<adjoint> const out(r.x_count, adjoint{});
    e.y_count = r.y_count;
    e.x_count = r.x_count;
    e.stop_count = r.stop_count;
    auto const watch_all = [&](node_info const* const* list, int count, bool apart) {
        for (int i = 0; i < count; ++i)
            if (list[i] != nullptr) {
                watch(seen, list[i]);
                if (apart) seen.watch(list[i]);
            }
    };
    watch_all(r.ys, r.y_count, false);
    watch_all(r.xs, r.x_count, true);
    watch_all(r.seeds, r.seed_count, true);
    watch_all(r.stops, r.stop_count, true);
    for (int i = 0; i < e.y_count; ++i) e.ys[i] = flatten(b, seen, r.ys[i]);
    for (int i = 0; i < e.x_count; ++i) e.xs[i] = flatten(b, seen, r.xs[i]);
    for (int i = 0; i < r.seed_count; ++i) e.seeds[i] = flatten(b, seen, r.seeds[i]);
    for (int i = 0; i < e.stop_count; ++i) e.stops[i] = flatten(b, seen, r.stops[i]);
    e.run(b, out.at);
    for (int i = 0; i < r.x_count; ++i) {
        adjoint const& o = out.at[i];
        if (o.sparse()) facts[i] = {gradient_kind::slices, b.info(o.values), b.info(o.indices)};
        else if (o.exists() || r.zeros) facts[i].kind = gradient_kind::dense;
        nodes[i] = o.dense.exists() ? o.dense.index : -1;
    }
    return e.ys[0].index;
}
/// Whether a body among these nodes computes one of the xs itself.
constexpr bool in_bodies(table_builder const& b, sweep_records const& r) {
    for (int i = 0; i < r.x_count; ++i)
        for (int k = 0; r.xs[i]->count > 0 && k < b.node_count; ++k)
            if (region_info const* region = b.nodes[k].op->region; region != nullptr && computes_inside(*region, r.xs[i])) return true;
    return false;
}
template<class Request>
constexpr int count_request_nodes() {
    using R = request_nodes<Request>;
    int n = count_nodes(R::ys, R::y_count) + count_nodes(R::stops, R::stop_count);
    for (auto const* seed : R::seeds)
        if (seed != nullptr) n += count_nodes(&seed, 1);
    return n;
}
/// The gradients of N xs, with the table in which they were found. A program with exactly these results uses this table.
template<int Capacity, int N>
struct gradient_list {
    gradient_facts at[N];
    int nodes[N];   // of dense gradients; -1: slices or none
    int first_y;
    std::string_view name_conflict, lost_gradient;
    bool in_bodies;   // an x is computed by a body itself
    table_storage<Capacity> table;
};
/// A request as records, and the operands of its gradients in order.
template<class Request, class... X>
struct request_records {
    using R = request_nodes<Request>;
    static constexpr int count = R::y_count + static_cast<int>(sizeof...(X)) + R::seed_count + R::stop_count;
    static constexpr node_info const* xs[]{info_of<X>...};
    static constexpr sweep_records records{
        R::ys, xs, R::seeds, R::stops, R::y_count, static_cast<int>(sizeof...(X)), R::seed_count, R::stop_count, R::zeros};
    static constexpr operand_records<count> operands{records};
};
template<class Request, class... X>
constexpr auto find_gradients() {
    gradient_list<14 * (count_request_nodes<Request>() + static_cast<int>(sizeof...(X))) + 160, sizeof...(X)> r{};
    table_builder b(r.table);
    r.first_y = find_gradients(b, request_records<Request, X...>::records, r.at, r.nodes);
    b.save(r.table);
    r.name_conflict = b.name_conflict;
    r.lost_gradient = b.lost_gradient;
    r.in_bodies = in_bodies(b, request_records<Request, X...>::records);
    return r;
}
template<class Request, class... X>
inline constexpr auto gradients_found = find_gradients<Request, X...>();
}

namespace detail {
/// Type and shape of a part that does not have the shape of x. A copy, because a binary may refer to it.
template<int Part, std::int64_t Index, class Request, class... X>
inline constexpr value_info part_found = Part == gradient_attributes::values ? gradients_found<Request, X...>.at[Index].values
                                                                             : gradients_found<Request, X...>.at[Index].indices;
inline constexpr value_info dense_part{};
template<std::int64_t Index, class Request, class... X>
inline constexpr value_info const& part_found<gradient_attributes::dense, Index, Request, X...> = dense_part;

constexpr attribute_words<2> words_of_gradient(sweep_records const& r, std::int64_t x, int part, dtype type) {
    bool const wide = part == gradient_attributes::indices && type == dtype::int64;
    return to_words(gradient_attributes{static_cast<std::int16_t>(r.y_count), static_cast<std::int16_t>(r.x_count),
        static_cast<std::int16_t>(r.stop_count), r.zeros, r.seed_count > 0, static_cast<std::int16_t>(x),
        static_cast<std::int16_t>(wide ? gradient_attributes::wide_indices : part)});
}
}

/// Gradients: one expression type per part.
template<int Part, std::int64_t Index, class Request, class... X>
struct gradient : expression_base {
private:
    using asked = detail::request_records<Request, X...>;

public:
    static constexpr value_info const& part = detail::part_found<Part, Index, Request, X...>;
    static constexpr attribute_words<2> words = detail::words_of_gradient(asked::records, Index, Part, part.type);
    static constexpr node_info info =
        detail::make_info(op_register<op::gradient>::info, words.view(part.dims.extents, part.dims.rank), asked::operands.at, asked::count);
};

namespace detail {
template<gradient_kind Kind, std::size_t I, class Request, class... X>
constexpr auto make_gradient() {
    if constexpr (Kind == gradient_kind::none) return none{};
    else if constexpr (Kind == gradient_kind::dense) return gradient<0, static_cast<std::int64_t>(I), Request, X...>{};
    else
        return indexed_slices<gradient<1, static_cast<std::int64_t>(I), Request, X...>,
            gradient<2, static_cast<std::int64_t>(I), Request, X...>, gradient<0, static_cast<std::int64_t>(I), Request, X...>>{};
}
template<class Request, class... X, std::size_t... I>
constexpr auto make_gradients(std::index_sequence<I...>) {
    return std::tuple<decltype(make_gradient<gradients_found<Request, X...>.at[I].kind, I, Request, X...>())...>{};
}
}

namespace detail {
template<class Request, class... X>
struct lost_gradient_of : operation_without_derivative<make_text([] { return gradients_found<Request, X...>.lost_gradient; })> {};
template<class Request, class... X>
constexpr auto answer(question<Request, X...>) {
    using asked = request_nodes<Request>;
    constexpr bool too_many = asked::y_count + asked::seed_count + asked::stop_count + static_cast<int>(sizeof...(X)) > max_region_operands;
    constexpr seed_state seeds = seeds_fit(Request{});
    static_assert(sizeof...(X) > 0, "xgrad::gradients(y, x...): there is no x; name at least one variable or another expression");
    static_assert(!too_many,
        "xgrad::gradients(y, x...): ys, grad_ys, stop_gradients and xs are more than 256 together; ask for the gradients of "
        "fewer xs at a time");
    static_assert(seeds != seed_state::count,
        "xgrad::gradients(y, grad_ys(g...), x...): there are more or fewer grad_ys than ys; give one for each y, none{} for "
        "ones");
    static_assert(seeds != seed_state::type,
        "xgrad::gradients(y, grad_ys(g...), x...): a grad_y has another element type than its y; write "
        "cast<float>(g)");
    static_assert(seeds != seed_state::shapes,
        "xgrad::gradients(y, grad_ys(g...), x...): a grad_y does not broadcast to its y: from the right, its extents must be "
        "equal or 1; write reshape or expand_dims");
    if constexpr (too_many || seeds != seed_state::good || sizeof...(X) == 0 || ((value_of<X>.wrong != fault::none) || ...))
        return std::tuple<std::conditional_t<true, refused, X>...>{};
    else {
        constexpr bool in_bodies = gradients_found<Request, X...>.in_bodies;
        static_assert(!in_bodies,
            "xgrad::gradients(y, x...): an x is an outer expression that a body of cond or switch_case computes itself, or a body that "
            "takes gradients; pass it to them as an argument");
        static_assert(
            sizeof(typename said<gradients_found<Request, X...>.lost_gradient.empty()>::template by<lost_gradient_of<Request, X...>>) > 0);
        return make_gradients<Request, X...>(std::index_sequence_for<X...>{});
    }
}
template<class... A>
constexpr auto refuse_each() {   // silent: one for each x
    return std::tuple_cat(std::conditional_t<GradientOption<A>, std::tuple<>, std::tuple<refused>>{}...);
}
template<class Y, class... A>
constexpr auto refuse_xs() {
    static_assert(never<Y>,
        "xgrad::gradients(y, x...): an x is not an expression, but a tuple or another object; write expressions one by one "
        "after y: gradients(loss, w, b)");
    return std::tuple<std::conditional_t<true, refused, A>...>{};
}
}

/// Gradients of the sum of all elements of y with respect to x... (variables, inputs or any expressions), as a tuple of expressions.
/// They can be used in further expressions and differentiated again. An x that depends on another x counts with its total derivative.
/// grad_ys(...), stop_gradients(...) and unconnected_zeros may be passed between y and x..., as in TensorFlow's tf.gradients.
template<class Y, class... A>
    requires((Expr<A> || GradientOption<A>) && ...)
[[nodiscard(
    "gradients are expressions, which compute nothing alone; give them a name, and pass them to a function or to apply_gradients")]] constexpr auto
gradients(Y const&, A const&...) {
    constexpr auto state = detail::differentiable(static_cast<Y const*>(nullptr));
    static_assert(state != detail::y_state::no_expression,
        "xgrad::gradients(y, x...): y is not an expression; give one, or ys(a, b) for the sum of several");
    static_assert(state != detail::y_state::not_floating, "xgrad::gradients(y, x...): y is neither float nor double; write cast<float>(y)");
    if constexpr (state != detail::y_state::good) return detail::refuse_each<A...>();
    else return detail::answer(detail::ask<typename detail::list_of_ys<Y>::type, A...>());
}
template<class Y, class... A>
    requires(!((Expr<A> || GradientOption<A>)&&...))
constexpr auto gradients(Y const&, A const&...) {
    return detail::refuse_xs<Y, A...>();
}
template<class Y>
constexpr auto gradients(Y const&, detail::in_braces) {
    return detail::refuse_xs<Y, detail::in_braces>();
}
/// The gradient with respect to one x.
template<class Y, class... A>
    requires((Expr<A> || GradientOption<A>) && ...)
[[nodiscard(
    "gradients are expressions, which compute nothing alone; give them a name, and pass them to a function or to apply_gradients")]] constexpr auto
gradient_of(Y const& y, A const&... arguments) {
    constexpr int xs = (0 + ... + static_cast<int>(Expr<A>));
    static_assert(xs == 1, "xgrad::gradient_of(y, x): there is no x, or more than one; for several write gradients(y, x...)");
    if constexpr (xs == 1) return std::get<0>(gradients(y, arguments...));
    else return detail::refused{};
}

// Reports gradient(loss, w), a common mistake.
template<class Y, class... A>
struct gradient<-1, 0, Y, A...> : detail::refused {
    constexpr gradient(Y const&, A const&...) {
        static_assert(detail::never<Y>,
            "xgrad: gradient is a type and is called like a function; write gradient_of(loss, w), or gradients(loss, w, b) for "
            "several");
    }
};
template<class Y, class... A>
gradient(Y const&, A const&...) -> gradient<-1, 0, Y, A...>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
