// SPDX-License-Identifier: MIT
// Loops of random graphs: a handful of bodies, whose tables and gradients are made at run time.
#pragma once

#include "run_time_planner.hpp"

#include <xgrad/grad/region.hpp>
#include <xgrad/ops/ops.hpp>

#include <map>

namespace random_graphs {
namespace bodies {
using namespace xg::literals;
inline constexpr xg::dim b{"b"};
inline constexpr xg::dim t{"t"};
inline constexpr xg::dim n{"n"};
inline constexpr auto w3 = xg::input<"w3", float, 3>;
inline constexpr auto m4 = xg::input<"m4", double, 4, 4>;
inline constexpr auto c0 = xg::input<"c0", float>;
inline constexpr auto table = xg::input<"table", float, n, 2>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const next = xg::tanh(h * w3 + x);
        return xg::carry(next).emit(next * h);
    }
};
struct counted : xg::region {
    static constexpr auto value(auto h, auto k, auto x) {
        auto const z = xg::sigmoid(xg::matmul(h, m4) + x);
        return xg::carry(z, k + 1_c).emit(xg::sum<1>(h), xg::transpose(z), k);
    }
};
struct plain : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * c0 + xg::relu(h)); }
};
struct inner : xg::region {
    static constexpr auto value(auto h, auto x) { return xg::carry(h * x + c0).emit(h); }
};
struct nested : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const [last, all] = xg::scan<inner>(xg::carry(h), x);
        return xg::carry(last).emit(xg::sum<0>(all) * h);
    }
};
struct looked_up : xg::region {
    static constexpr auto value(auto h, auto ids) {
        auto const rows = xg::gather(table, ids);
        return xg::carry(h + xg::sum<0>(rows)).emit(rows * h);
    }
};
struct noisy : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * xg::uniform_like<"r">(h)).emit(xg::softmax(h)); }
};

inline constexpr auto l0 = xg::scan<cell>(xg::carry(xg::input<"h", float, b, 3>), xg::input<"x", float, t, b, 3>);
inline constexpr auto l1 =
    xg::scan<counted>(xg::carry(xg::input<"h", double, 2, 4>, xg::input<"k", std::int32_t>), xg::input<"x", double, 5, 4>);
inline constexpr auto l2 = xg::scan<plain, 3>(xg::carry(xg::input<"h", float, t>));
inline constexpr auto l3 = xg::scan<nested>(xg::carry(xg::input<"h", float, b>), xg::input<"x", float, t, 2, b>);
inline constexpr auto l4 = xg::scan<looked_up>(xg::carry(xg::input<"h", float, 2>), xg::input<"x", std::int32_t, t, b>);
inline constexpr auto l5 = xg::scan<noisy, n>(xg::carry(xg::input<"h", double, b, 4>));
template<class L>
constexpr xg::node_info const* loop_of(L const&) {
    return xg::info_of<std::tuple_element_t<0, L>>->operands[0];
}
inline constexpr xg::node_info const* all[]{loop_of(l0), loop_of(l1), loop_of(l2), loop_of(l3), loop_of(l4), loop_of(l5)};
/// The operand that is ids of the loop's table, and the number of its rows.
inline constexpr int ids_of_loop(int loop) { return loop == 4 ? 1 : -1; }
}   // namespace bodies

/// The table of a body, differentiated as the attributes of a loop say.
struct body_table {
    static constexpr int capacity = 1536;
    std::unique_ptr<xg::table_storage<capacity>> room = std::make_unique<xg::table_storage<capacity>>();
    std::unique_ptr<xg::table_builder> b;
    xg::region_form form{};
    xg::region_nodes nodes{};
    int operand[xg::max_operands]{}, next[xg::max_operands]{}, result[xg::max_outputs]{};

    xg::table_view view() const { return b->view(); }
};
inline body_table const& table_of_body(xg::op_info const* op, xg::attributes const& a, int order = -1) {
    using key = std::pair<xg::op_info const*, std::vector<std::uint64_t>>;
    static std::map<key, std::unique_ptr<body_table>> known;
    order = order < 0 ? a.word_count : order;
    key const k{op, {a.words, a.words + order}};
    auto& found = known[k];
    if (found != nullptr) return *found;
    auto made = std::make_unique<body_table>();
    if (order == 0) {
        made->form = first_form(*op->region);
        made->b = std::make_unique<xg::table_builder>(*made->room);
        xg::detail::build_body(*made->b, *op->region, made->nodes);
    } else {
        body_table const& base = table_of_body(op, a, order - 1);
        xg::table_builder const& from = *base.b;
        if (from.node_count > body_table::capacity) throw std::runtime_error("the body of a loop is too long for this test");
        made->form = next_form(base.form, a.words[order - 1]);
        from.save(*base.room);
        copy_nodes(*base.room, *made->room);
        made->b = std::make_unique<xg::table_builder>(*made->room);
        made->b->rehash();
        xg::region_nodes known_nodes{};
        for (int i = 0; i < base.form.operands(); ++i) known_nodes.operand[i] = made->b->at(base.operand[i]);
        for (int i = 0; i < base.form.carries; ++i) known_nodes.next[i] = made->b->at(base.next[i]);
        for (int i = 0; i < base.form.stacked + base.form.summed; ++i) known_nodes.result[i] = made->b->at(base.result[i]);
        xg::detail::build_gradient(*made->b, base.form, a.words[order - 1], known_nodes, made->nodes);
    }
    for (int i = 0; i < made->form.operands(); ++i) made->operand[i] = made->nodes.operand[i].index;
    for (int i = 0; i < made->form.carries; ++i) made->next[i] = made->nodes.next[i].index;
    for (int i = 0; i < made->form.stacked + made->form.summed; ++i) made->result[i] = made->nodes.result[i].index;
    auto& place = known[k];
    place = std::move(made);
    return *place;
}

/// The program of one iteration: its outputs are the next carries, then the other live values except the history.
struct body_program {
    body_table const* table;
    plan steps;
    std::uint64_t live;
};
inline body_program const& program_of_body(xg::op_info const* op, xg::attributes const& a, std::uint64_t live, bool fuse) {
    using key = std::tuple<xg::op_info const*, std::vector<std::uint64_t>, std::uint64_t, bool>;
    static std::map<key, std::unique_ptr<body_program>> known;
    auto& found = known[key{op, {a.words, a.words + a.word_count}, live, fuse}];
    if (found != nullptr) return *found;
    body_table const& body = table_of_body(op, a);
    xg::region_form const& f = body.form;
    std::vector<int> outputs;
    for (int i = 0; i < f.carries; ++i) outputs.push_back(body.next[i]);
    for (int k = 0; k < f.stacked + f.summed; ++k)
        if ((k < f.emitted() || k >= f.stacked) && (live >> k & 1) != 0) outputs.push_back(body.result[k]);
    found = std::make_unique<body_program>(
        body_program{&body, plan_of(body.view(), body.b->operand_count, outputs, {}, xg::gating::none, fuse), live});
    return *found;
}

}   // namespace random_graphs
