// SPDX-License-Identifier: MIT
// Bodies: functions of parameters that one step of a plan runs. The parts that scan, call and cond share.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>
#include <xgrad/core/captures.hpp>
#include <xgrad/grad/kept.hpp>
#include <xgrad/ops/body_policies.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// What a parameter of a body is.
enum class parameter_role : unsigned char { carry, slice, argument };

/// A parameter, as an expression in the body of R.
template<class R, parameter_role Role, int K, Element Scalar, auto... D>
struct body_parameter : expression_base {
    using element = Scalar;
    static constexpr auto name = [] {
        if constexpr (Role == parameter_role::slice) return join_number<"slice.", K>();
        else if constexpr (Role == parameter_role::carry) return join_number<"carry.", K>();
        else return join_number<"argument.", K>();
    }();
    static constexpr node_info info =
        leaf_info<op::input>(name.view(), dtype_of<element>, shape{static_cast<int>(sizeof...(D)), {extent_of_argument<D>()...}});
};
/// Place::value, an extent, as a template argument.
template<class Place>
constexpr auto extent_argument() {
    constexpr extent e = Place::value;
    if constexpr (e.count == 0) return e.constant;
    else if constexpr (e == named_extent(e.terms[0].dims[0])) return e.terms[0].dims[0];
    else return e;
}
template<class E, int Axis>
struct extent_of_axis {
    static constexpr extent value = value_of<E>.dims.extents[Axis];
};
template<class R, parameter_role Role, int K, class E>
constexpr auto make_parameter() {
    constexpr int skip = Role == parameter_role::slice ? 1 : 0;
    return []<int... A>(std::integer_sequence<int, A...>) {
        return body_parameter<R, Role, K, cpp_type_t<value_of<E>.type>, extent_argument<extent_of_axis<E, A + skip>>()...>{};
    }(std::make_integer_sequence<int, value_of<E>.dims.rank - skip>{});
}
template<class... P>
struct parameter_list {
    static constexpr int count = sizeof...(P);
};
template<class R, parameter_role Role, class Numbers, class... E>
struct parameters_for;
template<class R, parameter_role Role, int... K, class... E>
struct parameters_for<R, Role, std::integer_sequence<int, K...>, E...> {
    using type = parameter_list<decltype(make_parameter<R, Role, K, E>())...>;
};
/// The parameters of R for these operands.
template<class R, parameter_role Role, class... E>
using parameters = typename parameters_for<R, Role, std::make_integer_sequence<int, sizeof...(E)>, E...>::type;

/// Whether R is a struct derived from region, which is not only declared.
template<class R>
constexpr bool is_body() {
    if constexpr (requires { sizeof(R); }) return __is_base_of(region, R);
    else return false;
}
struct returns_nothing {};
/// What R returns for these parameters; void if it cannot be called with them.
template<class R, class... P>
constexpr auto run_body() {
    if constexpr (requires { R::value(P{}...); }) {
        if constexpr (std::is_void_v<decltype(R::value(P{}...))>) return returns_nothing{};
        else return R::value(P{}...);
    }
}
template<class R, class... Lists>
struct body_result;
template<class R, class... A>
struct body_result<R, parameter_list<A...>> {
    using type = decltype(run_body<R, A...>());
};
template<class R, class... A, class... B>
struct body_result<R, parameter_list<A...>, parameter_list<B...>> : body_result<R, parameter_list<A..., B...>> {};
/// The type of what R returns for one or two lists of parameters, or void. While R runs, body_result has no type: so a body
/// that runs itself is found.
template<class R, class... Lists>
using body_with = typename body_result<R, Lists...>::type;

template<int Count>
constexpr auto refused_outputs() {
    return []<std::size_t... K>(std::index_sequence<K...>) { return std::tuple<std::conditional_t<(K + 1 > 0), refused, void>...>{}; }(
               std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}
/// The outputs of a node, as a tuple.
template<class Node, int Count>
constexpr auto outputs_of() {
    return
        []<int... K>(std::integer_sequence<int, K...>) { return std::tuple<part<K, Node>...>{}; }(std::make_integer_sequence<int, Count>{});
}
template<class... E>
constexpr bool all_good() {
    return ((value_of<E>.wrong == fault::none) && ...);
}
template<std::size_t N>
constexpr bool all_good(node_info const* const (&at)[N]) {
    for (node_info const* n : at)
        if (n != nullptr && n->value.wrong != fault::none) return false;
    return true;
}
template<std::size_t N>
constexpr bool any_half(node_info const* const (&at)[N], int count) {
    for (int i = 0; i < count && i < static_cast<int>(N); ++i)
        if (at[i] != nullptr && is_half(at[i]->value.type)) return true;
    return false;
}
}

namespace op {
constexpr value_info region_output(region_info const& r, attributes const& a, int output) { return form_of(r, a).output(output); }
/// The gradient of the right factor of a late product, from all iterations.
constexpr symbol gradient_of_matrix(late_product const& p, symbol left, symbol matrix, symbol gradient) {
    derivation d{};
    d.table = left.table;
    d.count = 2;
    d.operands[0] = left;
    d.operands[1] = matrix;
    d.wanted[1] = true;
    d.gradient = d.gradients[0] = gradient;
    auto const how = to_words(product_attributes{false, p.transpose_b});
    attributes const a = how.view();
    d.attrs = &a;
    p.op->derive(d);
    return d.out[1];
}
/// The rows of the iterations, of an output that is stacked, or of its gradient.
constexpr symbol rows_of(region_form const& f, int k, symbol all) {
    return f.rows(k) == f.length ? all : slice_of(all, 0, static_extent(0), f.length);
}
/// The gradient of a final carry. The last row of its history may be that carry.
constexpr symbol gradient_of_carry(derivation& d, region_form const& f, int i) {
    symbol r = d.gradients[i];
    if (int const h = f.history(i); d.gradients[h].exists() && f.keeps_last(i)) {
        symbol const last = reshape_to(slice_of(d.gradients[h], 0, f.length, static_extent(1)), f.operand[i]->dims);
        r = r.exists() ? r + last : last;
    }
    return r.exists() ? r : broadcast_symbol(d.table->constant(0, f.operand[i]->type), f.operand[i]->dims);
}
/// The gradient of a step is one over the bodies of `op`: its own, or the same bodies that keep nothing.
constexpr void derive_region_by(derivation& d, op_info const* op) {
    attributes const a = *d.attrs;
    region_form const f = form_of(*op->region, a);
    sequence<std::uint64_t> words(a.word_count + f.gradient_words(), zero_elements);   // of the new attributes
    for (int i = 0; i < a.word_count; ++i) words.at[i] = a.words[i];
    gradient_bits const bits = f.bits_in(words.at + a.word_count);
    auto add_bit = [&](int k) { words.at[a.word_count + k / 64] |= std::uint64_t{1} << k % 64; };
    for (int k = 0; k < f.outputs(); ++k)
        if (d.gradients[k].exists()) add_bit(bits.first_output + k);
    operand_set connected{};
    if (a.word_count == 0) connected = connected_operands(*op->region, bits);   // others have no gradient, which is not a gradient of zeros
    for (int k = 0; k < f.inputs(); ++k)
        if (d.wanted[k] && (a.word_count > 0 || connected.has(k))) add_bit(k);
    if (!bits.any_wanted(f.inputs())) return;
    region_form const g = next_form(f, bits);
    symbol in[max_region_operands]{};
    int n = 0;
    for (int i = 0; i < f.carries; ++i)
        if (is_floating(f.operand[i]->type)) in[n++] = gradient_of_carry(d, f, i);
    for (int i = 0; i < f.slices; ++i) in[n++] = d.operands[f.carries + i];
    for (int i = 0; i < f.carries; ++i)
        if (!f.drops_history(i, bits)) in[n++] = rows_of(f, f.history(i), d.output(f.history(i)));
    for (int k = 0; f.loops() && k < f.kept_count(); ++k) {
        kept_value const& v = f.kept->at[k];
        in[n++] = v.carry < 0 ? d.output(v.output) : slice_of(d.output(f.history(v.carry)), 0, static_extent(1), f.length);
    }
    for (int k = f.carries; k < f.carries + f.stacked; ++k)
        if (d.gradients[k].exists()) in[n++] = rows_of(f, k, d.gradients[k]);
    for (int i = 0; i < f.captures; ++i) in[n++] = d.operands[f.carries + f.slices + i];
    for (int k = 0; !f.loops() && k < f.kept_count(); ++k) in[n++] = d.output(f.kept->at[k].output);
    for (int k = 0; k < f.summed; ++k)
        if (d.gradients[f.carries + f.stacked + k].exists()) in[n++] = d.gradients[f.carries + f.stacked + k];
    if (g.control > 0) in[n++] = f.counts > 0 ? d.output(f.outputs() - 1) : d.operands[f.inputs()];
    derivation back{};
    back.table = d.table;
    back.result = d.table->add(op, in, n, {.words = words.at, .word_count = words.count});
    int carry = 0, stacked = g.carries, summed = g.carries + g.stacked;
    for (int k = 0; k < f.inputs(); ++k) {
        bool const is_carry = k < f.carries;
        if (is_carry && is_floating(f.operand[k]->type)) {
            if (bits.wanted(k)) d.out[k] = back.output(carry);
            ++carry;
        } else if (!is_carry && bits.wanted(k) && !f.is_late(k)) d.out[k] = back.output(k < f.carries + f.slices ? stacked++ : summed++);
    }
    symbol of_late[kept_values::most_late]{};
    for (int i = 0; i < f.late_count(); ++i) {
        late_product const& p = f.kept->late[i];
        if (!bits.wanted(p.matrix)) continue;
        int const slice = f.shared_slice(i, bits), twin = f.shared_twin(i, bits);
        symbol const gradient = of_late[i] = slice >= 0 ? d.out[slice] : twin >= 0 ? of_late[twin] : back.output(stacked++);
        symbol const left = p.emits_left         ? back.output(stacked++)
                            : p.left < f.carries ? rows_of(f, f.history(p.left), d.output(f.history(p.left)))
                                                 : d.operands[p.left];
        symbol const of_product = gradient_of_matrix(p, left, d.operands[p.matrix], gradient);
        symbol& sum = d.out[p.matrix];
        sum = sum.exists() ? sum + of_product : of_product;
    }
}
constexpr void derive_region(derivation& d) { derive_region_by(d, d.table->op(d.result)); }
/// A step over the bodies of `Call`, or over a gradient of them; see form_of. `Call` has
/// * `name`, `body_name`, `policy`, `lazy` (see find_captured), `length()`, `fails` (besides its lookups), `differentiable`,
/// * `control` (the value_info of a branch's index or of the number of iterations, or null),
/// * `carries`, `slices`, `arguments`, `emitted`, `body_count`: numbers,
/// * `parameters`, and `results` of all bodies one after the other,
/// * `keeps`: whether values are kept for the gradient, in place of being computed again,
/// * optionally `captured()` and `derive(derivation&)` in place of the usual ones; `gradient_of_region` if such a derive makes regions,
/// * optionally `before()`, `in_all()`, `gradients_from` and `by_gradients`, see region_info.
template<class Call>
struct bodies {
    static constexpr int results = Call::carries + Call::emitted, parameters = Call::carries + Call::slices + Call::arguments;
    // The condition of a loop has one result, the other bodies have those of the first.
    static constexpr int result_count = Call::policy == region_policy::until ? results + 1 : Call::body_count * results;
    static constexpr auto captured = [] {
        if constexpr (requires { Call::captured(); }) return Call::captured();
        else return xgrad::detail::find_captured(Call::results.at, result_count, Call::parameters.at, parameters, Call::lazy);
    }();
    static constexpr auto paths = xgrad::detail::find_paths<result_count>(Call::results.at, Call::parameters.at, parameters, captured);
    struct body_list {
        body_info at[Call::body_count];
    };
    static constexpr body_list list = [] {
        body_list r{};
        for (int b = 0; b < Call::body_count; ++b)
            r.at[b] = {Call::results.at + b * results, paths.at + b * results, Call::carries, Call::emitted};
        if constexpr (Call::policy == region_policy::until) {
            r.at[1].carries = 0;
            r.at[1].emitted = 1;
        }
        return r;
    }();
    static constexpr int gradients_from() {
        if constexpr (requires { Call::gradients_from; }) return Call::gradients_from;
        else return -1;
    }
    static constexpr op_info const* by_gradients() {
        if constexpr (requires { typename Call::by_gradients; }) return op_register<bodies<typename Call::by_gradients>>::info;
        else return nullptr;
    }
    static constexpr extent before = [] {
        if constexpr (requires { Call::before(); }) return Call::before();
        else return static_extent(0);
    }();
    static constexpr extent in_all = [] {
        if constexpr (requires { Call::in_all(); }) return Call::in_all();
        else return Call::length();
    }();
    /// As if nothing were kept.
    static constexpr region_info as_written{Call::policy, Call::body_count, Call::carries, Call::slices, Call::arguments, captured.count,
        Call::emitted, Call::parameters.at, captured.at, list.at, Call::control, Call::length(), captured.looks_up || Call::fails,
        Call::body_name, nullptr, gradients_from(), by_gradients(), before, in_all, &xgrad::detail::operands_read};
    static constexpr region_info region = [] {
        region_info r = as_written;
        if constexpr (Call::keeps && Call::differentiable &&
                      (
                          requires { Call::gradient_of_region; } || !requires(derivation& d) { Call::derive(d); }))
            r.kept = &xgrad::detail::values_kept_by<bodies>;
        return r;
    }();

    static constexpr value_info infer(value_info const* v, int count, attributes const& a) { return infer_output(v, count, a, 0); }
    // The outputs of an expression are known before it is known what is kept.
    static constexpr value_info infer_output(value_info const*, int, attributes const& a, int output) {
        return region_output(a.word_count == 0 && output < results ? as_written : region, a, output);
    }
    static constexpr op_info describe() {
        op_info r = make_op(Call::name, op_kind::region, infer, nullptr);
        if constexpr (requires(derivation& d) { Call::derive(d); }) r.derive = Call::derive;
        else if constexpr (Call::differentiable) r.derive = derive_region;
        r.lacks_derivative = !Call::differentiable;
        r.infer_output = infer_output;
        r.region = &region;
        for (int i = 0; i < result_count; ++i)
            if (Call::results.at[i]->moves) r.moves = 1;
        return r;
    }
};
}

namespace detail {
template<class Call>
constexpr void refuse_other_numbers() {
    static_assert(!op::bodies<Call>::captured.draws_again,
        "xgrad: a body that takes gradients reads an outer call or loop that draws random numbers, and would draw others; pass it as an "
        "argument or a carry");
}
/// A step over bodies as an expression. Users get its parts. Control: the index of a branch, or void.
template<class Call, class Control, class... Operand>
struct region_node : expression_base {
    using operation = op::bodies<Call>;
    static constexpr int given = sizeof...(Operand), captured = operation::captured.count;
    static constexpr int count = given + captured + (std::is_void_v<Control> ? 0 : 1);
    static constexpr auto list = [] {
        node_list<count> r{{info_of<Operand>...}};
        for (int i = 0; i < captured; ++i) r.at[given + i] = operation::captured.at[i];
        if constexpr (!std::is_void_v<Control>) r.at[count - 1] = info_of<Control>;
        return r;
    }();
    static constexpr node_info info = make_info(op_register<operation>::info, {}, list.at, count);
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
