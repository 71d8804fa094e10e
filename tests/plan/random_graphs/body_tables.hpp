// SPDX-License-Identifier: MIT
// The tables and programs of bodies, and of their gradients of any order, made at run time.
#pragma once

#include "run_time_planner.hpp"

#include <xgrad/grad/kept.hpp>

#include <map>

namespace random_graphs {

/// The number of the condition among the bodies of a loop.
inline constexpr int condition_body = 1;
inline bool is_condition(xg::op_info const* op, int body) {
    return op->region->policy == xg::region_policy::until && body == condition_body;
}

/// The table of a body, differentiated as the attributes of a node say.
struct body_table {
    static constexpr int capacity = 1536;
    std::unique_ptr<xg::table_storage<capacity>> room = std::make_unique<xg::table_storage<capacity>>();
    std::unique_ptr<xg::table_builder> b;
    xg::region_form form{};
    xg::region_nodes nodes{};
    int operand[xg::max_region_operands]{}, next[xg::max_region_operands]{}, result[xg::max_region_outputs]{},
        kept[xg::kept_values::most]{}, kept_leaf[xg::kept_values::most]{}, late[xg::kept_values::most_late]{},
        late_left[xg::kept_values::most_late]{};

    xg::table_view view() const { return b->view(); }
};
using known_tables = std::map<std::tuple<xg::op_info const*, std::vector<std::uint64_t>, int>, std::unique_ptr<body_table>>;
inline known_tables& tables_of_bodies() {
    static known_tables known;
    return known;
}
inline body_table const& table_of_body(xg::op_info const* op, xg::attributes const& a, int body = 0, int order = -1) {
    known_tables& known = tables_of_bodies();
    order = order < 0 ? a.word_count : order;
    known_tables::key_type const k{op, {a.words, a.words + order}, body};
    if (auto const found = known.find(k); found != known.end()) return *found->second;
    auto made = std::make_unique<body_table>();
    if (order == 0) {
        made->form = is_condition(op, body) ? condition_form(*op->region) : first_form(*op->region);
        made->b = std::make_unique<xg::table_builder>(*made->room);
        xg::detail::build_body(*made->b, *op->region, body, made->nodes);
    } else {
        body_table const& base = table_of_body(op, a, body, order - 1);
        xg::table_builder const& from = *base.b;
        if (from.node_count > body_table::capacity) throw std::runtime_error("a body is too long for this test");
        if (base.form.gradient_words() != 1) throw std::runtime_error("a body has too many operands for this test");
        xg::gradient_bits const bits = base.form.bits_in(a.words + order - 1);
        made->form = next_form(base.form, bits);
        from.save(*base.room);
        copy_nodes(*base.room, *made->room);
        made->b = std::make_unique<xg::table_builder>(*made->room);
        made->b->rehash();
        xg::region_nodes known_nodes{};
        for (int i = 0; i < base.form.inputs(); ++i) known_nodes.operand[i] = made->b->at(base.operand[i]);
        for (int i = 0; i < base.form.carries; ++i) known_nodes.next[i] = made->b->at(base.next[i]);
        for (int i = 0; i < base.form.stacked + base.form.summed; ++i) known_nodes.result[i] = made->b->at(base.result[i]);
        for (int i = 0; i < base.form.kept_count(); ++i) {
            known_nodes.kept[i] = made->b->at(base.kept[i]);
            known_nodes.kept_leaf[i] = made->b->at(base.kept_leaf[i]);
        }
        for (int i = 0; i < base.form.late_count(); ++i) {
            known_nodes.late[i] = made->b->at(base.late[i]);
            known_nodes.late_left[i] = made->b->at(base.late_left[i]);
        }
        xg::detail::build_gradient(*made->b, base.form, bits, known_nodes, made->nodes);
    }
    for (int i = 0; i < made->form.inputs(); ++i) made->operand[i] = made->nodes.operand[i].index;
    for (int i = 0; i < made->form.carries; ++i) made->next[i] = made->nodes.next[i].index;
    for (int i = 0; i < made->form.stacked + made->form.summed; ++i) made->result[i] = made->nodes.result[i].index;
    for (int i = 0; i < made->form.kept_count(); ++i) {
        made->kept[i] = made->nodes.kept[i].index;
        made->kept_leaf[i] = made->nodes.kept_leaf[i].index;
    }
    for (int i = 0; i < made->form.late_count(); ++i) {
        made->late[i] = made->nodes.late[i].index;
        made->late_left[i] = made->nodes.late_left[i].index;
    }
    return *(known[k] = std::move(made));
}

/// The program of one run of a body: its outputs are the next carries, then the other live values except the history.
struct body_program {
    body_table const* table;
    plan steps;
    std::uint64_t live;
};
using known_programs =
    std::map<std::tuple<xg::op_info const*, std::vector<std::uint64_t>, int, std::uint64_t, bool>, std::unique_ptr<body_program>>;
inline known_programs& programs_of_bodies() {
    static known_programs known;
    return known;
}
/// Call between graphs: there are more bodies with gradients than memory for them.
inline void forget_bodies(std::size_t most) {
    if (programs_of_bodies().size() + tables_of_bodies().size() <= most) return;
    programs_of_bodies().clear();
    tables_of_bodies().clear();
}
inline body_program const& program_of_body(xg::op_info const* op, xg::attributes const& a, int body, std::uint64_t live, bool fuse) {
    auto& found = programs_of_bodies()[{op, {a.words, a.words + a.word_count}, body, live, fuse}];
    if (found != nullptr) return *found;
    body_table const& table = table_of_body(op, a, body);
    xg::region_form const& f = table.form;
    std::vector<int> outputs;
    for (int i = 0; i < f.carries; ++i) outputs.push_back(table.next[i]);
    for (int k = 0; k < f.stacked + f.summed; ++k)
        if ((k < f.emitted() || k >= f.stacked) && (live >> k & 1) != 0) outputs.push_back(table.result[k]);
    found = std::make_unique<body_program>(
        body_program{&table, plan_of(table.view(), table.b->operand_count, outputs, {}, xg::gating::none, fuse), live});
    return *found;
}

/// The body that an index selects.
inline int selected_body(xg::region_form const& f, double index) {
    if (f.policy != xg::region_policy::branch) return 0;
    return index >= 0 && index < f.body_count ? static_cast<int>(index) : f.body_count - 1;
}
/// The position of an iteration for random numbers.
inline std::uint64_t iteration_of(std::uint64_t outer, std::int64_t length, std::int64_t turn) {
    return outer * (length > 0 ? static_cast<std::uint64_t>(length) : std::uint64_t{1} << 20) + static_cast<std::uint64_t>(turn);
}

}   // namespace random_graphs
