// SPDX-License-Identifier: MIT
// Which bodies run in registers: those whose values are single numbers or short rows of known size.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/region_program.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Elements of one value, and of all values of a body with its inner bodies. Beyond, registers do not suffice.
inline constexpr int longest_number_row = 32, most_numbers = 1024;

/// The number of elements of a short row, or 0 if the shape is no short row.
constexpr int small_elements(shape const& s) {
    std::int64_t n = 1;
    for (int i = 0; i < s.rank; ++i) {
        extent const& e = s.extents[i];
        if (!e.is_static() || e.constant < 1 || e.constant > longest_number_row) return 0;
        n *= e.constant;
        if (n > longest_number_row) return 0;
    }
    return static_cast<int>(n);
}
constexpr bool is_register_type(dtype d) {
    return d == dtype::float32 || d == dtype::float64 || d == dtype::int32 || d == dtype::int64 || d == dtype::boolean;
}
/// The type in which an element-wise operation computes, as in loops.
constexpr dtype type_of_operation(table_view const& t, int i) {
    if (t.type(i) != dtype::boolean) return t.type(i);
    return planner::type_of_truth(t[i].count, [&](int k) { return t.type(t.operand(i, k)); });
}
/// The type of a value in registers. A comparison is 0 or 1 in the type of what it compares.
constexpr dtype type_in_registers(table_view const& t, int i) {
    for (;;) switch (t.kind(i)) {
        case op_kind::elementwise: return type_of_operation(t, i);
        case op_kind::alias:
        case op_kind::broadcast: i = t.operand(i, 0); break;
        case op_kind::composite: i = t.operand(i, t[i].count - 1); break;
        default: return t.type(i);
        }
}

/// The facts about a body: its table, which nodes it needs, and whether they fit into registers.
template<class Program>
struct number_body {
    using request = typename Program::request;
    using region = typename Program::body;
    static constexpr table_view table = Program::table.view();
    static constexpr region_form const& form = region::form;
    static constexpr output_set const& live = Program::live;

    struct marks {
        bool of[table.count];
        int numbers[table.count];   // the nodes that are needed, in their order
        int count, elements;
        bool fit;
    };
    /// The operand of the step that is node `i`, or -1.
    static constexpr int operand_of_node(int i) {
        int found = -1;
        for (int k = 0; k < form.inputs(); ++k)
            if (region::draft.operand[k] == i) found = k;
        return found;
    }
    static constexpr int elements(int i) { return small_elements(table.dims(i)); }
    // The operand whose value a composite operation has is its last: how it was written out.
    static constexpr int first_operand(int i) { return table.kind(i) == op_kind::composite ? table[i].count - 1 : 0; }
    static constexpr bool repeats(int i, int k) {
        int const from = elements(table.operand(i, k));
        return from == 1 || from == elements(i);
    }
    static constexpr bool node_fits(int i) {
        op_info const& op = *table[i].op;
        if (op.kind == op_kind::region) return true;   // its bodies are asked
        if (elements(i) == 0 || !is_register_type(table.type(i))) return false;
        switch (op.kind) {
        case op_kind::constant: return elements(i) == 1;
        case op_kind::input: return operand_of_node(i) >= 0;
        case op_kind::part: return table.kind(table.operand(i, 0)) == op_kind::region;
        case op_kind::alias:
        case op_kind::composite: return elements(table.operand(i, first_operand(i))) == elements(i);
        case op_kind::broadcast: return repeats(i, 0);
        case op_kind::reduce:
            return elements(i) == 1 && op.combine != monoid::none && table.type(i) != dtype::boolean &&
                   table.type(table.operand(i, 0)) == table.type(i);
        case op_kind::elementwise:
            for (int k = 0; k < table[i].count; ++k)
                if (!repeats(i, k) || !is_register_type(table.type(table.operand(i, k)))) return false;
            return is_register_type(type_of_operation(table, i));
        default: return false;
        }
    }
    static constexpr marks find() {
        marks m{};
        m.fit = true;
        for (int k = 0; k < request::output_count; ++k) m.of[request::outputs[k]] = true;
        for (int i = table.count; i-- > 0;) {
            if (!m.of[i]) continue;
            for (int k = first_operand(i); k < table[i].count; ++k) m.of[table.operand(i, k)] = true;
            m.elements += elements(i);
            m.fit = m.fit && node_fits(i);
        }
        for (int i = 0; i < table.count; ++i)
            if (m.of[i]) m.numbers[m.count++] = i;
        for (int k = 0; k < form.inputs() && m.fit; ++k)
            m.fit = small_elements(form.operand[k]->dims) > 0 && is_register_type(form.operand[k]->type);
        m.fit = m.fit && m.elements <= most_numbers;
        return m;
    }
    static constexpr marks needed = find();

    /// The body `Body` of the step of node `i`.
    template<int I, int Body>
    struct inner_body {
        static constexpr region_form form = form_of(*table[I].op->region, table.attrs(I));
        static constexpr output_set live = [] {
            output_set found{};
            for (int k = form.carries; k < form.outputs(); ++k)
                if (int const part = table.part_of(I, k); part >= 0 && needed.of[part]) found.add(k - form.carries);
            return found;
        }();
        template<int... W>
        static auto find(std::integer_sequence<int, W...>) {
            return std::type_identity<program_of_body<table[I].op, Body, live, Program::fuses, table.attrs(I).words[W]...>>{};
        }
        using type = typename decltype(find(std::make_integer_sequence<int, table.attrs(I).word_count>{}))::type;
    };
    template<int I, int... Body>
    static constexpr int elements_of_bodies(std::integer_sequence<int, Body...>) {
        return (number_body<typename inner_body<I, Body>::type>::all_elements() + ...);
    }
    /// The elements of all values, with those of inner bodies. More than most_numbers if a value does not fit.
    static constexpr int all_elements() {
        if constexpr (!needed.fit) return most_numbers + 1;
        else return inner_elements(std::make_integer_sequence<int, needed.count>{});
    }
    template<int... N>
    static constexpr int inner_elements(std::integer_sequence<int, N...>) {
        int n = needed.elements;
        ((n = n > most_numbers ? n : n + elements_at<needed.numbers[N]>()), ...);
        return n;
    }
    template<int I>
    static constexpr int elements_at() {
        if constexpr (table.kind(I) != op_kind::region) return 0;
        else {
            constexpr region_form form = form_of(*table[I].op->region, table.attrs(I));
            if (!form.length.is_static()) return most_numbers + 1;
            for (int k = 0; k < form.outputs(); ++k) {
                int const part = table.part_of(I, k);
                bool const read = part >= 0 && needed.of[part];
                if ((read || k < form.carries) && small_elements(form.output(k).dims) == 0) return most_numbers + 1;
            }
            return elements_of_bodies<I>(std::make_integer_sequence<int, form.body_count>{});
        }
    }
};

/// Whether all bodies of step S of P run in registers.
template<class P, int S>
inline constexpr bool step_in_registers = [] {
    if constexpr (!P::fuses || !planner::facts_of(P::plan.steps[S].kind).runs_bodies) return false;
    else
        return []<int... Body>(std::integer_sequence<int, Body...>) {
            int n = 0;
            ((n = n > most_numbers ? n : n + number_body<body_of_step<P, S, Body>>::all_elements()), ...);
            return n <= most_numbers;
        }(std::make_integer_sequence<int, P::plan.steps[S].body_count>{});
}();
/// Whether body K of P runs in registers. It has no plan and no arena then.
template<class P, int K>
struct runs_in_registers {
    static constexpr bool value = step_in_registers<P, region_step<P, K>()>;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
