// SPDX-License-Identifier: MIT
// The planner on random graphs, at run time and without the compiler. The functions that constant evaluation runs plan each graph.
// An interpreter that checks every access runs the plan. The results are compared with the table's values, node by node.
//   XGRAD_RANDOM_GRAPHS  how many (default 100000)      XGRAD_RANDOM_SEED  the number of the first one (default 1)
#include <doctest/doctest.h>

#include "random_graphs/kept.hpp"
#include "random_graphs/shrink.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {
using namespace random_graphs;

std::uint64_t setting(char const* name, std::uint64_t otherwise) {
    char const* s = std::getenv(name);
    return s != nullptr ? std::strtoull(s, nullptr, 10) : otherwise;
}

struct tally {
    long graphs = 0, planned = 0, compared = 0, with_updates = 0, lanes = 0, streamed = 0, handed_on = 0, fused_updates = 0, blocks = 0,
         sparse = 0, new_values = 0, again = 0, late_bodies = 0;
    long nodes = 0, steps[6]{}, policies[4]{}, differentiated[3]{};
    std::map<std::string_view, long> operations;

    void add(recipe const& r, trial const& t) {
        ++planned;
        nodes += t.graph().d.table.count;
        with_updates += !t.graph().d.updates.empty();
        for (xg::planner::plan_update const& u : t.graph().d.updates) again += t.graph().d.table.kind(u.variable) == xg::op_kind::updated;
        for (node const& n : r.nodes) ++operations[n.op->name];
        for (int i = 0; i < t.graph().d.table.count; ++i) new_values += t.graph().d.table.kind(i) == xg::op_kind::updated;
        std::vector<bool> late(static_cast<std::size_t>(t.graph().d.table.count));   // made of new values
        for (int i = 0; i < t.graph().d.table.count; ++i) {
            late[static_cast<std::size_t>(i)] = t.graph().d.table.kind(i) == xg::op_kind::updated;
            for (int k = 0; k < t.graph().d.table.nodes[i].count; ++k)
                if (late[static_cast<std::size_t>(t.graph().d.table.operand(i, k))]) late[static_cast<std::size_t>(i)] = true;
        }
        plan const& p = t.steps();
        for (int k = 0; k < p.step_count; ++k) {
            xg::planner::plan_step const& s = p.steps[k];
            ++steps[static_cast<int>(s.kind)];
            if (s.kind == xg::planner::step_kind::region) {
                late_bodies += late[static_cast<std::size_t>(s.node)];
                ++policies[static_cast<int>(s.op->region->policy)];
                ++differentiated[std::min(t.graph().d.table.attrs(s.node).word_count, 2)];
            }
            lanes += s.lane >= 0;
            streamed += s.back_at > 0;
            handed_on += s.hands_on();
            blocks += s.lane < 0 && s.block_rows > 0;
            fused_updates += s.kind == xg::planner::step_kind::update && s.fused;
            sparse += s.kind == xg::planner::step_kind::update && s.sparse;
        }
    }
    void print() const {
        static constexpr char const* names[]{"nests", "products", "kernels", "steps over bodies", "updates", "checks"};
        std::printf("%ld graphs, %ld planned, %ld runs compared, %ld with updates, %ld nodes\nsteps:", graphs, planned, compared,
            with_updates, nodes);
        for (int k = 0; k < 6; ++k) std::printf(" %ld %s,", steps[k], names[k]);
        std::printf(
            " %ld in lanes, %ld rows in blocks, %ld streamed, %ld handed on, %ld updates in products, %ld of rows, %ld new values read, "
            "%ld updates behind others, %ld steps over bodies of new values\n"
            "of steps over bodies: %ld loops, %ld with a condition, %ld calls, %ld branches; %ld gradients of order 1, %ld of more\n"
            "operations:",
            lanes, blocks, streamed, handed_on, fused_updates, sparse, new_values, again, late_bodies, policies[0], policies[1],
            policies[2], policies[3], differentiated[1], differentiated[2]);
        for (auto const& [name, n] : operations) std::printf(" %.*s %ld,", static_cast<int>(name.size()), name.data(), n);
        std::printf("\n");
    }
};
}

TEST_CASE("random graphs are planned right") {
    std::uint64_t const count = setting("XGRAD_RANDOM_GRAPHS", 100000), first = setting("XGRAD_RANDOM_SEED", 1);
    fresh_table room, other;
    tally all;
    int failures = 0;
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        forget_bodies(400);
        recipe r = generator(seed, *other.room).make();
        ++all.graphs;
        trial const t(r, *room.room);
        verdict v = t.first;
        if (t.planned) all.add(r, t);
        std::int64_t const given[3]{r.sizes[0], r.sizes[1], r.sizes[2]};
        for (int turn = 0; turn < 2 && t.planned && v.result != outcome::wrong; ++turn) {
            for (int d = 0; turn > 0 && d < 3; ++d)
                r.sizes[d] =
                    static_cast<std::int64_t>((static_cast<std::uint64_t>(given[d]) + mix(seed, static_cast<std::uint64_t>(d))) % 4);
            v = t.at(r.sizes);
            all.compared += v.result == outcome::equal;
        }
        if (v.result != outcome::wrong) continue;
        ++failures;
        recipe const small = shrinker(r, *room.room).smallest();
        trial const again(small, *room.room);
        std::string const what =
            again.at(small.sizes).why + "\n" + text(small) + "(" + v.why + ", " + std::to_string(seed - first + 1) + " graphs)";
        FAIL_CHECK(what);
    }
    all.print();
    CHECK(all.compared * 10 >= all.graphs * 12);   // most graphs can be run, with both sizes
    for (long const n : all.policies) CHECK(n * 1000 >= all.graphs);
    CHECK(all.late_bodies * 1000 >= all.graphs);
    for (long const n : all.differentiated) CHECK(n * 1000 >= all.graphs);
}

TEST_CASE("graphs that were planned wrong once") {
    fresh_table room;
    for (kept_graph const& kept : kept_graphs())
        for (bool fuse : {true, false})
            for (xg::gating gate : {xg::gating::none, xg::gating::op, xg::gating::graph}) {
                std::string const what = kept.what;
                CAPTURE(what);
                recipe r = kept.graph;
                r.fuse = fuse;
                r.gate = gate;
                REQUIRE(refresh(r, *room.room));
                trial const t(r, *room.room);
                CHECK(t.planned == !kept.too_large);
                for (std::int64_t size : {2, 1, 0, 3, 7}) {
                    for (auto& n : r.sizes) n = size;
                    verdict const v = t.at(r.sizes);
                    bool const called = !kept.too_large && size >= kept.smallest;
                    CHECK_MESSAGE(v.result == (called ? outcome::equal : outcome::refused), v.why);
                }
            }
}

// Faults that are planted in finished plans are found.
TEST_CASE("plans that are made wrong are found") {
    struct planted {
        char const* what;
        bool (*change)(plan&, dice&);
    };
    static constexpr planted all[]{
        {"two buffers in one block",
            [](plan& p, dice& d) {
                if (p.block_count < 2) return false;
                for (int k = 0; k < p.buffer_count; ++k)   // the blocks of two that live at the same time
                    for (int i = 0; i < k; ++i)
                        if (p.buffers[i].last > p.buffers[k].first && p.buffers[i].place != p.buffers[k].place && d.chance(0.5)) {
                            p.buffers[k].place = p.buffers[i].place;
                            return true;
                        }
                return false;
            }},
        {"a step later",
            [](plan& p, dice& d) {
                if (p.step_count < 2) return false;
                int const k = d.below(p.step_count - 1);
                if (p.steps[k].in_pass() || p.steps[k + 1].in_pass() || p.steps[k].fused || p.steps[k + 1].fused) return false;
                std::swap(p.steps[k], p.steps[k + 1]);
                return true;
            }},
        {"an operand one element further",
            [](plan& p, dice& d) {
                if (p.operand_count == 0) return false;
                xg::planner::step_operand& o = p.operands[d.below(p.operand_count)];
                o.offset = o.offset == xg::planner::zero_extent ? xg::planner::one_extent : xg::planner::zero_extent;
                return o.has_memory();
            }},
        {"a stride that is none",
            [](plan& p, dice& d) {
                if (p.operand_count == 0) return false;
                xg::planner::step_operand& o = p.operands[d.below(p.operand_count)];
                for (short* e : {&o.inner, &o.stride[0], &o.stride[1]})
                    if (*e != xg::planner::zero_extent) return *e = xg::planner::zero_extent, true;
                return false;
            }},
        {"another pass",
            [](plan& p, dice& d) {
                if (p.ins_count == 0) return false;
                xg::planner::instruction& i = p.ins[d.below(p.ins_count)];
                if (i.phase == 0) return false;
                --i.phase;
                return true;
            }},
        {"another operand",
            [](plan& p, dice& d) {
                if (p.ins_count == 0) return false;
                xg::planner::instruction& i = p.ins[d.below(p.ins_count)];
                if (i.kind != xg::planner::ins_kind::apply || i.arity < 2 || i.a == i.b) return false;
                i.b = i.a;
                return true;
            }},
        {"another axis that is summed", [](plan& p, dice& d) {
             if (p.ins_count == 0) return false;
             xg::planner::instruction& i = p.ins[d.below(p.ins_count)];
             if (i.kind != xg::planner::ins_kind::reduce || i.outer == 0) return false;
             i.outer = static_cast<unsigned char>(i.outer ^ 1);
             return true;
         }}};
    fresh_table room, other;
    for (planted const& fault : all) {
        std::string const what = fault.what;
        CAPTURE(what);
        int made = 0, found = 0;
        for (std::uint64_t seed = 1; seed < 2000 && made < 60; ++seed) {
            recipe r = generator(seed, *other.room).make();
            for (auto& n : r.sizes) n = 3;
            trial t(r, *room.room);
            dice d{seed};
            if (!t.planned || t.at(r.sizes).result != outcome::equal || !fault.change(t.steps(), d)) continue;
            ++made;
            found += t.at(r.sizes).result == outcome::wrong;
        }
        CHECK(made >= 10);
        CHECK(found * 3 > made);   // the others change nothing that is read
    }
}
