// SPDX-License-Identifier: MIT
// A program: outputs and updates as a tag type, with its table and plan as constexpr members.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/kernels.hpp>
#include <xgrad/compile/equal_steps.hpp>
#include <xgrad/compile/region_program.hpp>
#include <xgrad/compile/region_kernel.hpp>
#include <xgrad/grad/gradients.hpp>
#if XGRAD_VERIFY_PLANS
#    include <xgrad/compile/verified.hpp>
#endif

XGRAD_NAMESPACE_BEGIN

/// The expressions that a program computes.
template<class... E>
struct [[nodiscard("outputs(a, b) is an argument of function or minimize; alone it computes nothing")]] expression_list {
    static constexpr int count = sizeof...(E);
    static constexpr node_info const* infos[sizeof...(E) + 1] = {info_of<E>..., nullptr};
};

/// A program without updates.
struct no_updates {
    using rules = std::tuple<>;
    static constexpr int max_count = 0;
    static constexpr int node_count() { return 0; }
    static constexpr void watch(node_map&) {}
    static constexpr void build(table_builder&, node_map&, sequence<planner::plan_update>&) {}
};

namespace detail {

/// The table of a program while it is being built, with its outputs and updates.
template<int Capacity, int Nodes, int Outputs, int Updates>
struct draft_program {
    table_storage<Capacity> table;
    known_node nodes[Nodes + 1];
    int outputs[Outputs + 1];
    planner::plan_update updates[Updates + 1];
    int node_count, update_count;
    std::string_view name_conflict;
};

/// Capacity of the table for a program whose expressions have n distinct nodes. With gradients each node adds up to a dozen more.
constexpr int table_capacity(int n, bool gradients) { return gradients ? 14 * n + 160 : 6 * n + 96; }

template<class Outputs>
constexpr int output_nodes = count_nodes(Outputs::infos, Outputs::count);
template<class Outputs, class Updates>
constexpr int usual_capacity = table_capacity(output_nodes<Outputs> + Updates::node_count(), true);

// Two constant evaluations, because compilers limit the length of one: the outputs, then the updates with their gradients.
template<class Outputs, class Updates, int Capacity>
constexpr auto draft_outputs() {
    draft_program<Capacity, output_nodes<Outputs>, Outputs::count, Updates::max_count> d{};
    table_builder b(d.table);
    node_map seen;
    for (int i = 0; i < Outputs::count; ++i) watch(seen, Outputs::infos[i]);
    Updates::watch(seen);
    for (int i = 0; i < Outputs::count; ++i) d.outputs[i] = flatten(b, seen, Outputs::infos[i]).index;
    b.save(d.table);
    d.node_count = seen.save(d.nodes);
    d.name_conflict = b.name_conflict;
    return d;
}
template<class Outputs, class Updates, int Capacity>
inline constexpr auto outputs_draft_of = draft_outputs<Outputs, Updates, Capacity>();

template<class Outputs, class Updates, int Capacity>
constexpr auto draft_updates() {
    auto d = outputs_draft_of<Outputs, Updates, Capacity>;
    table_builder b(d.table);
    b.name_conflict = d.name_conflict;
    node_map seen;
    for (int i = 0; i < d.node_count; ++i) seen.insert(d.nodes[i].node, d.nodes[i].index);
    Updates::watch(seen);
    sequence<planner::plan_update> updates;
    Updates::build(b, seen, updates);
    for (auto const& u : updates) d.updates[d.update_count++] = u;
    b.save(d.table);
    d.name_conflict = b.name_conflict;
    return d;
}
template<class Outputs, class Updates, int Capacity>
inline constexpr auto updates_draft_of = draft_updates<Outputs, Updates, Capacity>();

// Builds the table again with a larger capacity if the usual one is too small (derivatives of derivatives).
template<class Outputs, class Updates, int Capacity = usual_capacity<Outputs, Updates>>
constexpr auto const& draft_that_fits() {
    constexpr int outputs_need = outputs_draft_of<Outputs, Updates, Capacity>.table.needed;
    if constexpr (outputs_need > 0) return draft_that_fits<Outputs, Updates, outputs_need>();
    else if constexpr (std::is_same_v<Updates, no_updates>) return outputs_draft_of<Outputs, Updates, Capacity>;
    else if constexpr (constexpr int need = updates_draft_of<Outputs, Updates, Capacity>.table.needed; need > 0)
        return draft_that_fits<Outputs, Updates, need>();
    else return updates_draft_of<Outputs, Updates, Capacity>;
}

// `gradients(y, x...)` has already made a table, to find the kinds of its gradients (dense, slices or none).
// A program without updates takes that table instead of making an equal one, if its outputs are only such gradients and the first y.

/// What `gradients` has found for one request: the table, and the nodes of its first y and of its gradients.
template<class Question>
struct answered;
template<class Request, class... X>
struct answered<question<Request, X...>> {
    static constexpr auto const& found = gradients_found<Request, X...>;
    static constexpr node_info const* first_y = request_nodes<Request>::ys[0];
};
// The node of output E in the found table; -1: it is not there, or it is not a dense gradient of this request.
template<class Answered, class E>
inline constexpr int node_found = info_of<E> == Answered::first_y ? Answered::found.first_y : -1;
template<std::int64_t K, class Request, class... X>
inline constexpr int node_found<answered<question<Request, X...>>, gradient<gradient_attributes::dense, K, Request, X...>> =
    gradients_found<Request, X...>.nodes[K];
// The request of the first output that is a gradient; void: no output is one.
template<class... E>
struct question_of {
    using type = void;
};
template<class E, class... Rest>
struct question_of<E, Rest...> : question_of<Rest...> {};
template<int Part, std::int64_t K, class Request, class... X, class... Rest>
struct question_of<gradient<Part, K, Request, X...>, Rest...> {
    using type = question<Request, X...>;
};
/// Like draft_program, with a reference to a table that already exists.
template<class Table, int Outputs>
struct found_draft {
    Table const& table;
    int outputs[Outputs + 1];
    planner::plan_update updates[1];
    int update_count;
    std::string_view name_conflict;
};
// The draft of a program whose table was found. `exists` is false if an output is not in it.
template<class Outputs>
struct draft_found;
template<class... E>
struct draft_found<expression_list<E...>> {
    using question = typename question_of<E...>::type;
    static constexpr bool exists = [] {
        if constexpr (std::is_void_v<question>) return false;
        else return answered<question>::found.table.needed == 0 && ((node_found<answered<question>, E> >= 0) && ...);
    }();
    static constexpr auto make() {
        constexpr auto const& found = answered<question>::found;
        return found_draft<std::remove_cvref_t<decltype(found.table)>, sizeof...(E)>{
            found.table, {node_found<answered<question>, E>...}, {}, 0, found.name_conflict};
    }
};
template<class Outputs>
inline constexpr auto draft_that_was_found = draft_found<Outputs>::make();

template<class Outputs, class Updates>
constexpr auto const& find_draft() {
    if constexpr (!std::is_same_v<Updates, no_updates>) return draft_that_fits<Outputs, Updates>();
    else if constexpr (draft_found<Outputs>::exists) return draft_that_was_found<Outputs>;
    else return draft_that_fits<Outputs, Updates>();
}
template<class Outputs, class Updates>
inline constexpr auto const& draft_of = find_draft<Outputs, Updates>();
template<class Outputs, class Updates>
struct draft_place {
    static constexpr auto const& draft = draft_of<Outputs, Updates>;
};

template<class Outputs, class Updates>
inline constexpr auto table_of_program = [] {
    constexpr auto const& d = draft_of<Outputs, Updates>.table;
    return exact_copy<d.node_count, d.operand_count, d.attr_count, d.word_count, d.extent_count>(d);
}();

/// The output nodes and updates of a program in exact size. Objects that refer to them may become part of a binary.
template<int Outputs, int Updates>
struct plan_ends {
    int outputs[Outputs + 1];
    planner::plan_update updates[Updates + 1];
};
template<class Outputs, class Updates>
inline constexpr auto plan_ends_of = [] {
    constexpr auto const& d = draft_of<Outputs, Updates>;
    plan_ends<Outputs::count, d.update_count> ends{};
    for (int i = 0; i < Outputs::count; ++i) ends.outputs[i] = d.outputs[i];
    for (int i = 0; i < d.update_count; ++i) ends.updates[i] = d.updates[i];
    return ends;
}();

/// The input of the planner.
template<class Outputs, class Updates>
struct planned {
    static constexpr table_view table = table_of_program<Outputs, Updates>.view();
    static constexpr int operand_count = draft_of<Outputs, Updates>.table.operand_count;
    static constexpr int output_count = Outputs::count, update_count = draft_of<Outputs, Updates>.update_count;
    static constexpr int const* outputs = plan_ends_of<Outputs, Updates>.outputs;
    static constexpr planner::plan_update const* updates = plan_ends_of<Outputs, Updates>.updates;
};
template<class Outputs, class Updates, gating Gate, bool Fuse>
inline constexpr auto plan_of_program = planner::passes<planned<Outputs, Updates>, Gate, Fuse>::make();

// The sentences about a program name what is wrong as a template argument.
template<fixed_string Name>
struct dimension_without_input {
    static_assert(sizeof(Name) == 0,
        "xgrad: a named dimension is no extent of any input, so a call cannot find its size: dimension_without_input<...> "
        "names it; declare an input with that dimension");
};
template<fixed_string Name>
struct operation_with_wrong_indices {
    static_assert(sizeof(Name) == 0, "xgrad: `indices` of an operation names an operand or axis that is missing or no integer: "
                                     "operation_with_wrong_indices<...> names it; correct the index_bound of this operation");
};
template<fixed_string Name>
struct value_not_updated {
    static_assert(sizeof(Name) == 0,
        "xgrad: updated(v) is the value after an update, but v has no such update: value_not_updated<...> names it; write v, "
        "or give v a rule");
};
template<fixed_string Name>
struct value_in_own_update {
    static_assert(sizeof(Name) == 0,
        "xgrad: the update of v needs updated(v), in the loss or in an assignment that v depends on: value_in_own_update<...> "
        "names it; write v, the value before the step");
};
template<class P>
struct dimension_without_input_in : dimension_without_input<make_text([] { return first_dimension_without_input<P, P>(); })> {};
template<class P>
struct wrong_indices_in : operation_with_wrong_indices<make_text([] { return first_wrong_bound(P::table.view()); })> {};
template<class P>
struct not_updated_in : value_not_updated<make_text([] { return P::wrong_new_value.variable; })> {};
template<class P>
struct own_update_in : value_in_own_update<make_text([] { return P::wrong_new_value.variable; })> {};
/// The named dimensions of the variables of P, "features, classes".
template<class P>
consteval auto variable_dim_names() {
    constexpr auto write = [](char* to) {
        shape_writer text{to};
        for (variable_dim const& d : variable_dims_of(P::runtime.view())) {
            if (text.count > 0) text.add(", ");
            text.add(d.info->name);
        }
        return text.count;
    };
    char text[write(nullptr) + 1]{};
    write(text);
    return fixed_string<write(nullptr) + 1>(text);
}
template<fixed_string Name>
constexpr void sizes_of() {
    static_assert(sizeof(Name) == 0,
        "xgrad: sizes of named dimensions are missing, or belong to no variable: sizes_of<...> names the variables' "
        "dimensions; write minimize(loss, rule, features = 300) or variables{expression, features = 300}");
}

}   // namespace detail

/// A program. `plan` is constexpr; `runtime` is the part of it that is in the binary.
template<class Outputs, class Updates = no_updates, gating Gate = gating::none, bool Fuse = true>
struct program {
    using outputs = Outputs;
    using updates = Updates;
    using rules = typename Updates::rules;
    using request = detail::planned<Outputs, Updates>;   // input of the planner
    static constexpr gating gate = Gate;
    static constexpr bool fuses = Fuse;
    static constexpr auto const& table = detail::table_of_program<Outputs, Updates>;
    static constexpr auto const& plan = detail::plan_of_program<Outputs, Updates, Gate, Fuse>;
    static constexpr int update_count = request::update_count;
    static constexpr auto const& update_list = detail::plan_ends_of<Outputs, Updates>.updates;

    static constexpr auto kernel_of = detail::find_kernels<plan.step_count>(plan, table.view());

    /// The program of the body of the K-th loop.
    template<int K>
    using region = detail::region_of<program, K>;
    static constexpr auto runtime = detail::runtime_of_program<program>();
    static constexpr int variable_dims =
        detail::count_variable_dims(runtime);   // named dimensions of variables, whose sizes the owner needs

    static constexpr int input_index(std::uint64_t hash) {
        for (int i = 0; i < plan.input_count; ++i)
            if (table.attrs[table.nodes[plan.inputs[i]].attrs].name_hash == hash) return i;
        return -1;
    }
    static constexpr planner::wrong_new_value wrong_new_value = planner::find_wrong_new_value(
        table.view(), planner::plan_request{request::outputs, request::output_count, request::updates, request::update_count, Gate});
    static constexpr planner::new_value_fault new_values = wrong_new_value.fault;
    static constexpr bool loses_gradient = !detail::draft_of<Outputs, Updates>.table.lost_gradient.empty();
    // These come last: clang 16 ignores the members that follow a failed assertion.
    static_assert(sizeof(typename detail::said<detail::first_dimension_without_input<program, program>().empty()>::template by<
                      detail::dimension_without_input_in<program>>) > 0);
    static_assert(
        sizeof(typename detail::said<detail::first_wrong_bound(table.view()).empty()>::template by<detail::wrong_indices_in<program>>) > 0);
    static_assert(
        sizeof(typename detail::said<new_values != planner::new_value_fault::not_updated>::template by<detail::not_updated_in<program>>) >
        0);
    static_assert(
        sizeof(typename detail::said<new_values != planner::new_value_fault::cyclic>::template by<detail::own_update_in<program>>) > 0);
    static_assert(new_values != planner::new_value_fault::late_index,
        "xgrad: the indices of a lookup are made of updated(v), so they could be checked only after variables have changed; "
        "make them of v, the value before the step");
    static_assert(!plan.too_large,
        "xgrad: a tensor's size has too many named dimensions: more than two products, or more than three in one; give "
        "integers as extents, or join some dimensions into one");
    static_assert(sizeof(typename detail::said<detail::draft_of<Outputs, Updates>.name_conflict.empty()>::template by<
                      detail::name_conflict_in<detail::draft_place<Outputs, Updates>>>) > 0);
    static_assert(sizeof(typename detail::said<detail::draft_of<Outputs, Updates>.table.shared_layer.empty()>::template by<
                      detail::shared_layer_in<detail::draft_place<Outputs, Updates>>>) > 0);
    static_assert(sizeof(typename detail::said<detail::draft_of<Outputs, Updates>.table.shared_stream.empty()>::template by<
                      detail::shared_stream_in<detail::draft_place<Outputs, Updates>>>) > 0);
    static_assert(sizeof(typename detail::said<detail::draft_of<Outputs, Updates>.table.lost_gradient.empty()>::template by<
                      detail::lost_gradient_in<detail::draft_place<Outputs, Updates>>>) > 0);
    static_assert(sizeof(detail::linear_derivatives<detail::draft_place<Outputs, Updates>>) > 0);
    static_assert(sizeof(typename detail::said<detail::draft_of<Outputs, Updates>.table.wrong_gradient.empty()>::template by<
                      detail::wrong_gradient_in<detail::draft_place<Outputs, Updates>>>) > 0);
};

namespace detail {
template<class Outputs>
constexpr bool has_fault() {
    for (int i = 0; i < Outputs::count; ++i)
        if (Outputs::infos[i]->value.wrong != fault::none) return true;
    return false;
}
template<class Outputs>   // dependent, so that it is instantiated where it is needed and not with this header
using stand_in = program<std::conditional_t<true, expression_list<typed_literal<float, 0>>, Outputs>>;
}
/// The program of an expression that its operations have refused. It reports no further errors.
template<class Outputs, class Updates, gating Gate, bool Fuse>
    requires(detail::has_fault<Outputs>())
struct program<Outputs, Updates, Gate, Fuse> : detail::stand_in<Outputs> {
    using rules = typename Updates::rules;
    static constexpr bool refused = true;
};
template<class E>
using refused_program = program<std::conditional_t<true, expression_list<detail::refused>, E>>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
