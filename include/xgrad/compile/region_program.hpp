// SPDX-License-Identifier: MIT
// A body as a separate program: table, plan, arena. It depends only on the record of the region, so equal bodies share it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/kernels.hpp>
#include <xgrad/compile/equal_steps.hpp>
#include <xgrad/compile/runtime_program.hpp>
#include <xgrad/core/shape_names.hpp>
#include <xgrad/grad/kept.hpp>
#include <xgrad/grad/reads.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
// The messages are in structs with the name as a template argument. The compiler shows it in the line of the message.
template<fixed_string Variable>
struct variable_of_two_layers {
    static_assert(sizeof(Variable) == 0,
        "xgrad: two layers have one name and different inputs, so they would share variables; give one another name, or to "
        "share them write dense<name, units>(x, nn::shared)");
};
template<fixed_string Name>
struct name_of_two_random_streams {
    static_assert(sizeof(Name) == 0,
        "xgrad: two random streams have one name and different inputs, so they would draw the same numbers; give one another "
        "name, or write dropout<name>(x, rate, nn::shared)");
};
template<fixed_string Name>
struct name_of_two_things {
    static_assert(sizeof(Name) == 0,
        "xgrad: two inputs or variables have one name, but different shapes, element types or kinds; give one another name, or "
        "write scope<\"prefix\"> to distinguish them");
};
template<fixed_string Name>
struct gradient_of_operation {
    static_assert(sizeof(Name) == 0, "xgrad: an operation's gradient has another element type than its operand, or no matching shape: "
                                     "gradient_of_operation<...> names it; correct its derive(...) or derivative(...)");
};
template<fixed_string Name>
struct gradient_in_scan {
    static_assert(sizeof(Name) == 0,
        "xgrad: in the body of a scan an operation's gradient has another element type than its operand, or no matching shape: "
        "gradient_in_scan<...> names it; correct its derive(...) or derivative(...)");
};
template<class Place>   // has a draft
struct name_conflict_in : name_of_two_things<make_text([] { return Place::draft.name_conflict; })> {};
template<class Place>   // has the draft of a table
struct shared_layer_in : variable_of_two_layers<make_text([] { return Place::draft.table.shared_layer; })> {};
template<class Place>
struct lost_gradient_in : operation_without_derivative<make_text([] { return Place::draft.table.lost_gradient; })> {};
template<class Place>
struct shared_stream_in : name_of_two_random_streams<make_text([] { return Place::draft.table.shared_stream; })> {};
template<class Place>
struct wrong_gradient_in : gradient_of_operation<make_text([] { return Place::draft.table.wrong_gradient; })> {};

/// The table of a region while it is being built, with the nodes of its operands and results.
template<int Capacity>
struct region_draft {
    static constexpr int capacity = Capacity;
    table_storage<Capacity> table;
    int operand[max_region_operands], next[max_region_operands], result[max_region_outputs], kept[kept_values::most],
        kept_leaf[kept_values::most];
    int late[kept_values::most_late], late_left[kept_values::most_late];
};
template<class Draft>
constexpr void save_nodes(region_nodes const& r, region_form const& f, Draft& d) {
    for (int i = 0; i < f.inputs(); ++i) d.operand[i] = r.operand[i].index;
    for (int i = 0; i < f.carries; ++i) d.next[i] = r.next[i].index;
    for (int i = 0; i < f.stacked + f.summed; ++i) d.result[i] = r.result[i].index;
    for (int i = 0; i < f.kept_count(); ++i) {
        d.kept[i] = r.kept[i].index;
        d.kept_leaf[i] = r.kept_leaf[i].index;
    }
    for (int i = 0; i < f.late_count(); ++i) {
        d.late[i] = r.late[i].index;
        d.late_left[i] = r.late_left[i].index;
    }
}
template<class Region, int Capacity>
inline constexpr auto region_draft_of = Region::template make<Capacity>();
// Builds the table again with a larger capacity if the usual one is too small.
template<class Region, int Capacity>
constexpr auto const& region_that_fits() {
    constexpr int needed = region_draft_of<Region, Capacity>.table.needed;
    if constexpr (needed > 0) return region_that_fits<Region, needed>();
    else return region_draft_of<Region, Capacity>;
}

/// A body of Op as written.
template<op_info const* Op, int Body>
struct region_table {
    static constexpr std::string_view name = Op->region->name;
    static constexpr bool is_condition = Op->region->policy == region_policy::until && Body == 1;
    static constexpr region_form form = is_condition ? condition_form(*Op->region) : first_form(*Op->region);
    template<int Capacity>
    static constexpr auto make() {
        region_draft<Capacity> d{};
        table_builder b(d.table);
        region_nodes nodes{};
        build_body(b, *Op->region, Body, nodes);
        save_nodes(nodes, form, d);
        b.save(d.table);
        return d;
    }
    static constexpr auto const& draft = region_that_fits<region_table, 14 * count_region_nodes(*Op->region, Body) + 96>();
};
/// The gradient of a region. Words are the bits of next_form.
template<class Base, std::uint64_t... Words>
struct gradient_region_table {
    static constexpr std::uint64_t words[]{Words...};
    static constexpr gradient_bits bits = Base::form.bits_in(words);
    static constexpr std::string_view name = Base::name;
    static constexpr region_form form = next_form(Base::form, bits);
    template<int Capacity>
    static constexpr auto make() {
        constexpr auto const& base = Base::draft;
        region_draft<Capacity> d{};
        copy_nodes(base.table, d.table);
        d.table.wrong_gradient = base.table.wrong_gradient;
        d.table.shared_layer = base.table.shared_layer;
        d.table.shared_stream = base.table.shared_stream;
        d.table.lost_gradient = base.table.lost_gradient;
        d.table.nonlinear_derivative = base.table.nonlinear_derivative;
        d.table.nonlinear_gradient = base.table.nonlinear_gradient;
        table_builder b(d.table);
        b.rehash();
        region_nodes from{}, nodes{};
        for (int i = 0; i < Base::form.inputs(); ++i) from.operand[i] = b.at(base.operand[i]);
        for (int i = 0; i < Base::form.carries; ++i) from.next[i] = b.at(base.next[i]);
        for (int i = 0; i < Base::form.stacked + Base::form.summed; ++i) from.result[i] = b.at(base.result[i]);
        for (int i = 0; i < Base::form.kept_count(); ++i) {
            from.kept[i] = b.at(base.kept[i]);
            from.kept_leaf[i] = b.at(base.kept_leaf[i]);
        }
        for (int i = 0; i < Base::form.late_count(); ++i) {
            from.late[i] = b.at(base.late[i]);
            from.late_left[i] = b.at(base.late_left[i]);
        }
        build_gradient(b, Base::form, bits, from, nodes);
        save_nodes(nodes, form, d);
        b.save(d.table);
        return d;
    }
    static constexpr auto const& draft = region_that_fits<gradient_region_table, 14 * Base::draft.table.node_count + 160>();
};
/// The region, differentiated as the words of the attributes say.
template<class Region, std::uint64_t... Words>
struct differentiated_region {
    using type = Region;
};
template<class Region, std::uint64_t First, std::uint64_t... Words>
    requires(Region::form.gradient_words() == 1)
struct differentiated_region<Region, First, Words...> : differentiated_region<gradient_region_table<Region, First>, Words...> {};
template<class Region, std::uint64_t First, std::uint64_t... Words>
    requires(Region::form.gradient_words() > 1)
struct differentiated_region<Region, First, Words...> {
    static constexpr std::uint64_t words[]{First, Words...};
    static constexpr int count = Region::form.gradient_words();
    template<int... K, int... Later>
    static auto find(std::integer_sequence<int, K...>, std::integer_sequence<int, Later...>)
        -> differentiated_region<gradient_region_table<Region, words[K]...>, words[count + Later]...>;
    using type = typename decltype(find(
        std::make_integer_sequence<int, count>{}, std::make_integer_sequence<int, static_cast<int>(sizeof...(Words)) + 1 - count>{}))::type;
};
template<class Region>
inline constexpr auto table_of_region = exact_copy<Region::draft.table.node_count, Region::draft.table.operand_count,
    Region::draft.table.attr_count, Region::draft.table.word_count, Region::draft.table.extent_count>(Region::draft.table);

/// The input of the planner. Live: those outputs after the carries that are read. The history is copied from the carries themselves.
template<class Region, output_set Live>
struct planned_region {
    static constexpr auto const& draft = Region::draft;
    static constexpr region_form const& form = Region::form;
    static constexpr table_view table = table_of_region<Region>.view();
    static constexpr bool is_output(int k) { return (k < form.emitted() || k >= form.stacked) && Live.has(k); }
    static constexpr int operand_count = draft.table.operand_count, update_count = 0, output_count = [] {
        int n = form.carries;
        for (int k = 0; k < form.stacked + form.summed; ++k) n += is_output(k);
        return n;
    }();
    struct output_list {
        int at[max_region_operands + max_region_outputs + 1];
    };
    static constexpr output_list list = [] {
        output_list r{};
        int n = 0;
        for (int i = 0; i < form.carries; ++i) r.at[n++] = draft.next[i];
        for (int k = 0; k < form.stacked + form.summed; ++k)
            if (is_output(k)) r.at[n++] = draft.result[k];
        return r;
    }();
    static constexpr int const* outputs = list.at;
    static constexpr planner::plan_update const* updates = nullptr;
};

template<class P, int K>
struct region_at;
template<class P, int K>
using region_of = typename region_at<P, K>::type;

/// The program of one iteration, or of one run.
template<class Region, output_set Live, bool Fuse>
struct region_program {
    using rules = std::tuple<>;
    using request = planned_region<Region, Live>;
    using body = Region;
    static constexpr output_set const& live = Live;
    static constexpr gating gate = gating::none;
    static constexpr bool fuses = Fuse;
    static constexpr auto const& table = table_of_region<Region>;
    static constexpr auto plan = planner::passes<planned_region<Region, Live>, gating::none, Fuse>::make();
    static constexpr int update_count = 0;
    static constexpr planner::plan_update const* update_list = nullptr;
    static constexpr auto kernel_of = find_kernels<plan.step_count>(plan, table.view());
    template<int K>
    using region = region_of<region_program, K>;
    /// The captures of a loop that are right factors of products, as bits of the inputs of its body.
    static constexpr std::uint32_t fixed_factors() {
        constexpr region_form const& f = Region::form;
        std::uint32_t found = 0;
        for (int i = 0; f.policy == region_policy::loop && i < plan.step_count; ++i) {
            planner::plan_step const& s = plan.steps[i];
            if (!planner::facts_of(s.kind).in_tiles) continue;
            planner::step_operand const& o = plan.operands[s.first_operand + s.read_count + 1];
            if (o.base != planner::step_operand::where::input || o.index >= 32) continue;
            for (int k = f.carries + f.slices; k < f.inputs(); ++k)
                if (Region::draft.operand[k] == plan.inputs[o.index]) found |= std::uint32_t{1} << o.index;
        }
        return found;
    }
    static constexpr auto runtime = [] {
        auto r = runtime_of_program<region_program>();
        r.fixed_inputs = fixed_factors();
        return r;
    }();

    struct shape_lists {
        short operand_of_input[plan.input_count + 1];
        dtype operand[Region::form.operands() + 1], result[Region::form.stacked + Region::form.summed + 1];
    };
    static constexpr shape_lists make_lists() {
        constexpr region_form const& f = Region::form;
        shape_lists r{};
        for (int i = 0; i < plan.input_count; ++i) {
            r.operand_of_input[i] = -1;   // a kept value, in the body that computes it
            for (int k = 0; k < f.inputs(); ++k)
                if (Region::draft.operand[k] == plan.inputs[i]) r.operand_of_input[i] = static_cast<short>(k);
        }
        for (int k = 0; k < f.operands(); ++k) r.operand[k] = f.operand[k]->type;
        for (int k = 0; k < f.stacked + f.summed; ++k) r.result[k] = f.result[k]->type;
        return r;
    }
    static constexpr shape_lists lists = make_lists();
    static constexpr region_shape make_shape() {
        constexpr region_form const& f = Region::form;
        region_shape s{};
        s.policy = f.policy;
        s.carries = f.carries;
        s.slices = f.slices;
        s.captures = f.captures;
        s.control = f.control;
        s.emitted = f.emitted();
        s.extra = f.kept != nullptr ? f.kept->extra : 0;
        s.stacked = f.stacked;
        s.summed = f.summed;
        s.counts = f.counts;
        s.backwards = f.backwards;
        for (int i = 0; i < f.carries; ++i)
            if (f.keeps_last(i)) s.keeps_last.add(i);
        s.live = Live;
        s.name = Region::name;
        s.operand_of_input = lists.operand_of_input;
        s.operand = lists.operand;
        s.result = lists.result;
        if (f.control > 0) s.control_type = f.operand[f.inputs()]->type;
        return s;
    }
    static constexpr region_shape turn = make_shape();
    static_assert(sizeof(typename said<Region::draft.table.shared_layer.empty()>::template by<shared_layer_in<Region>>) > 0);
    static_assert(sizeof(typename said<Region::draft.table.shared_stream.empty()>::template by<shared_stream_in<Region>>) > 0);
    static_assert(sizeof(typename said<Region::draft.table.lost_gradient.empty()>::template by<lost_gradient_in<Region>>) > 0);
    static_assert(sizeof(linear_derivatives<Region>) > 0);
    static_assert(sizeof(typename said<Region::draft.table.wrong_gradient.empty()>::template by<
                      gradient_in_scan<make_text([] { return Region::draft.table.wrong_gradient; })>>) > 0);
};

/// The step of body K of P.
template<class P, int K>
constexpr int region_step() {
    int s = 0;
    while (K < P::plan.steps[s].first_body || K >= P::plan.steps[s].first_body + P::plan.steps[s].body_count) ++s;
    return s;
}
template<class P, int S>
constexpr output_set live_outputs() {
    constexpr planner::plan_step s = P::plan.steps[S];
    constexpr int carries = form_of(*s.op->region, P::table.view().attrs(s.node)).carries;
    output_set live{};
    for (int k = s.read_count + carries, bit = 0; k < s.operand_count; ++k, ++bit)
        if (P::plan.operands[s.first_operand + k].has_memory()) live.add(bit);
    return live;
}
/// The program of a body of Op, differentiated as the words of the attributes say. A condition has one output.
template<op_info const* Op, int Body, output_set Live, bool Fuse, std::uint64_t... Words>
struct body_program {
    static constexpr output_set live = region_table<Op, Body>::is_condition ? output_set{{1}} : Live;
    using type = region_program<typename differentiated_region<region_table<Op, Body>, Words...>::type, live, Fuse>;
};
template<op_info const* Op, int Body, output_set Live, bool Fuse, std::uint64_t... Words>
using program_of_body = typename body_program<Op, Body, Live, Fuse, Words...>::type;
template<class P, int S, int Body, int... I>
constexpr auto find_region(std::integer_sequence<int, I...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    constexpr attributes a = P::table.view().attrs(s.node);
    return std::type_identity<program_of_body<s.op, Body, live_outputs<P, S>(), P::fuses, a.words[I]...>>{};
}
/// The program of a body of step S of P.
template<class P, int S, int Body>
using body_of_step = typename decltype(find_region<P, S, Body>(
    std::make_integer_sequence<int, P::table.view().attrs(P::plan.steps[S].node).word_count>{}))::type;
template<class P, int K>
struct region_at {
    static constexpr int step = region_step<P, K>();
    using type = body_of_step<P, step, K - P::plan.steps[step].first_body>;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
