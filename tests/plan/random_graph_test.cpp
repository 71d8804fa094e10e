// SPDX-License-Identifier: MIT
// The planner on random graphs, at run time and without the compiler: each is planned by the functions that constant evaluation runs, the plan is
// run by an interpreter that checks every access, and the results are compared with the table's values, row by row.
//   XGRAD_RANDOM_GRAPHS  how many (default 100000)      XGRAD_RANDOM_SEED  the number of the first one (default 1)
#include <doctest/doctest.h>

#include "random_graphs/shrink.hpp"

#include <cstdio>
#include <cstdlib>

namespace {
using namespace random_graphs;

std::uint64_t setting(char const* name, std::uint64_t otherwise) {
    char const* s = std::getenv(name);
    return s != nullptr ? std::strtoull(s, nullptr, 10) : otherwise;
}

struct tally {
    long graphs = 0, planned = 0, compared = 0, with_updates = 0, lanes = 0, streamed = 0, fused_updates = 0, blocks = 0, sparse = 0;
    long rows = 0, steps[9]{};
    std::map<std::string_view, long> operations;

    void add(recipe const& r, trial const& t) {
        ++planned;
        rows += t.graph().d.table.count;
        with_updates += !t.graph().d.updates.empty();
        for (node const& n : r.nodes) ++operations[n.op->name];
        plan const& p = t.steps();
        for (int k = 0; k < p.step_count; ++k) {
            xg::plan_step const& s = p.steps[k];
            ++steps[static_cast<int>(s.kind)];
            lanes += s.lane >= 0;
            streamed += s.streamed > 0;
            blocks += s.block_rows > 0;
            fused_updates += s.kind == xg::step_kind::update && s.fused;
            sparse += s.kind == xg::step_kind::update && s.sparse;
        }
    }
    void print() const {
        static constexpr char const* names[]{"nests", "products", "gathers", "bags", "scatters", "updates", "checks", "row functions", "loops"};
        std::printf("%ld graphs, %ld planned, %ld runs compared, %ld with updates, %ld rows\nsteps:", graphs, planned, compared, with_updates, rows);
        for (int k = 0; k < 9; ++k) std::printf(" %ld %s,", steps[k], names[k]);
        std::printf(" %ld in lanes, %ld rows in blocks, %ld streamed, %ld updates in products, %ld of rows\noperations:", lanes, blocks, streamed,
            fused_updates, sparse);
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
        recipe r = generator(seed, *other.room).make();
        ++all.graphs;
        trial const t(r, *room.room);
        verdict v = t.first;
        if (t.planned) all.add(r, t);
        std::int64_t const given[3]{r.sizes[0], r.sizes[1], r.sizes[2]};
        for (int turn = 0; turn < 2 && t.planned && v.result != outcome::wrong; ++turn) {
            for (int d = 0; turn > 0 && d < 3; ++d) r.sizes[d] = static_cast<std::int64_t>((static_cast<std::uint64_t>(given[d]) + mix(seed, static_cast<std::uint64_t>(d))) % 4);
            v = t.at(r.sizes);
            all.compared += v.result == outcome::equal;
        }
        if (v.result != outcome::wrong) continue;
        ++failures;
        recipe const small = shrinker(r, *room.room).smallest();
        trial const again(small, *room.room);
        std::string const what = again.at(small.sizes).why + "\n" + text(small) + "(" + v.why + ", " + std::to_string(seed - first + 1) + " graphs)";
        FAIL_CHECK(what);
    }
    all.print();
    CHECK(all.compared * 10 >= all.graphs * 12);   // most graphs can be run, with both sizes
}
