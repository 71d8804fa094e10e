// SPDX-License-Identifier: MIT
// Links of chains that clip by norms, on arrays: the numbered cases of wrappers, by value, by row, by axis, and of slices.
#include <xgrad/optim/optim.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "optim/chain_reference.hpp"
#include "optim/table.hpp"

using namespace xgrad;
using xgrad_test::near;
using xgrad_test::random_numbers;
using xgrad_test::table;

namespace {
using list = std::vector<double>;
}

TEST_CASE("G10 and G14 norms of one variable") {
    gradient_descent const one{.learning_rate = 1};
    table norm(chain(clip_by_norm(4), one), 3, list(6, 0));
    norm.dense({-3, 0, 0, 4, 0, 0});
    CHECK(near(norm.param, {2.4, 0, 0, -3.2, 0, 0}));
    table average(chain(clip_by_average_norm(0.8), one), 3, list(6, 0));
    average.dense({-3, 0, 0, 4, 0, 0});
    CHECK(near(average.param, {2.88, 0, 0, -3.84, 0, 0}));
    table zero(chain(clip_by_norm(4), one), 3, list(6, 1));
    zero.dense(list(6, 0));
    CHECK(zero.param == list(6, 1));
    table wrong(chain(clip_by_norm(4), one), list(3, 1));
    wrong.dense({1, std::nan(""), 1});
    for (double x : wrong.param) CHECK(std::isnan(x));
}

TEST_CASE("norms of slices count them one by one, as TensorFlow's, behind links that scale") {
    gradient_descent const one{.learning_rate = 1};
    list const values{1, 1, 1, 1, 3, 0};   // row 2 twice
    double const each = 2 / std::sqrt(13.0), sum = 2 / std::sqrt(17.0);
    auto const moved = [&](auto rule, double factor) {
        table v(rule, 2, list(8, 0));
        v.sparse({2, 2, 0}, values);
        CHECK(near(v.param, {-3 * factor, 0, 0, 0, -2 * factor, -2 * factor, 0, 0}));
        table whole(rule, 2, list(8, 0));
        whole.dense({3, 0, 0, 0, 2, 2, 0, 0});
        CHECK(near(whole.param, {-3 * sum, 0, 0, 0, -2 * sum, -2 * sum, 0, 0}));
    };
    moved(chain(clip_by_norm(2), one), each);
    moved(chain(clip_by_norm(2), one, ema{.decay = 0.5}), each);   // over all rows
    moved(chain(freeze{0}, multiply_gradient{1}, clip_by_norm(2), one), each);
    moved(chain(clip_by_value(-9, 9), clip_by_norm(2), one), sum);
    list wide;
    for (int i = 0; i < 3 * 37; ++i) wide.push_back(i % 5 - 2);
    table v(chain(clip_by_norm(1), one), 37, list(74, 0));
    v.sparse({1, 1, 0}, wide);
    double squares = 0;
    for (double const x : wide) squares += x * x;
    for (std::size_t i = 0; i < 37; ++i) {
        CHECK(near(v.param[i], -wide[74 + i] / std::sqrt(squares)));
        CHECK(near(v.param[37 + i], -(wide[i] + wide[37 + i]) / std::sqrt(squares)));
    }
}

TEST_CASE("G7 VariableClipping") {
    table v(chain(gradient_descent{.learning_rate = 3}, max_row_norm{.max_norm = 2}), 2, {0, 1, 2, 3});
    v.dense(0.1);
    CHECK(near(v.param, {-0.3, 0.7, 1.0656265393722786, 1.6924656801795013}));
    table rows(chain(gradient_descent{.learning_rate = 3}, max_row_norm{.max_norm = 2}), 2, {0, 3, 2, 3});
    rows.sparse({1}, {0.1, 0.1});   // of slices the rows that occur
    CHECK(near(rows.param, {0, 3, 1.0656265393722786, 1.6924656801795013}));
    table columns(chain(gradient_descent{.learning_rate = 1}, max_column_norm{.max_norm = 5}), 2, {4, 6, 4, 8});
    columns.dense({1, 0, 0, 0});
    CHECK(near(columns.param, {3, 3, 4, 4}));
    table positive(chain(gradient_descent{.learning_rate = 1}, box{.min = 0, .max = 2}), {1, 1, 1});
    positive.dense({3, 0.5, -4});
    CHECK(positive.param == list{0, 0.5, 2});
}

namespace {
// Five steps of [4, 3] against the lines of variable_clipping.txt that begin with `name`.
template<class Links>
void follows_clipping(std::string const& name, Links const& links, bool slices) {
    INFO(name);
    list start(12);
    for (std::size_t i = 0; i < 12; ++i) start[i] = (static_cast<double>(3 * i % 8) - 4) / 4;
    table v(links, 3, start);
    std::ifstream file(XGRAD_TEST_DATA "/variable_clipping.txt");
    std::size_t lines = 0, step = 0;
    for (std::string found; file >> found >> step;) {
        list expected(12), g(slices ? 6 : 12);
        for (double& e : expected) file >> e;
        if (found != name) continue;
        CHECK(step == ++lines);
        for (std::size_t i = 0; i < g.size(); ++i) g[i] = (static_cast<double>((7 * i + 5 * step + 3) % 16) - 8) / 16;
        if (slices) v.sparse({static_cast<std::int32_t>(step % 4), 3}, g);
        else v.dense(g);
        for (std::size_t i = 0; i < 12; ++i) CHECK(v.param[i] == doctest::Approx(expected[i]).epsilon(1e-13));
    }
    CHECK(lines == 5);
}
}   // namespace
TEST_CASE("a variable is clipped over all axes, its columns or its rows, also all of a table, as TensorFlow does") {
    gradient_descent const rule{.learning_rate = 0.5};
    follows_clipping("all", chain(rule, max_variable_norm{1.5}), false);
    follows_clipping("columns", chain(rule, max_column_norm{0.75}), false);
    follows_clipping("rows", chain(rule, max_row_norm{0.75}), false);
    follows_clipping("slices_all", chain(rule, max_variable_norm{1.5}, on_all_rows{}), true);
    follows_clipping("slices_columns", chain(rule, max_column_norm{0.75}, on_all_rows{}), true);
    follows_clipping("slices_rows", chain(rule, max_row_norm{0.75}), true);
    table m(chain(momentum{.learning_rate = 1, .momentum = 0.5}, on_all_rows{}), 1, {1, 1});
    m.sparse({0}, {1});
    m.sparse({1}, {1});   // row 0 does not occur, and its momentum rests
    CHECK(m.param == list{0, 0});
}

TEST_CASE("reductions of several links go one behind the other") {
    list const theta = random_numbers(4, 20), g = random_numbers(5, 20);
    table all(chain(clip_by_norm(1), lamb{.learning_rate = 0.5, .epsilon = 0.001}, max_row_norm{.max_norm = 0.5}), 4, theta);
    table clip(chain(clip_by_norm(1), gradient_descent{.learning_rate = 1}), 4, list(20, 0));   // leaves −clip(g)
    table rule(lamb{.learning_rate = 0.5, .epsilon = 0.001}, 4, theta);
    for (int step = 0; step < 3; ++step) {
        all.dense(g);
        clip.param = list(20, 0);
        clip.dense(g);
        for (double& x : clip.param) x = -x;
        rule.dense(clip.param);
        for (std::size_t r = 0; r < 5; ++r) {
            double norm = 0;
            for (std::size_t e = 0; e < 4; ++e) norm += rule.param[4 * r + e] * rule.param[4 * r + e];
            for (std::size_t e = 0; e < 4; ++e) rule.param[4 * r + e] *= 0.5 / std::fmax(std::sqrt(norm), 0.5);
        }
        CHECK(near(all.param, rule.param, 1e-12));
        CHECK(near(all.slots[1], rule.slots[1], 1e-12));
    }
}

TEST_CASE("norms of 1") {
    gradient_descent const one{.learning_rate = 1};
    table rows(chain(one, unit_row_norm{}), 2, {4, 4, 0, 0, 1, -1});
    rows.dense({1, 0, 0, 0, 1, 0});
    CHECK(near(rows.param, {0.6, 0.8, 0, 0, 0, -1}, 2e-7));
    table columns(chain(one, unit_column_norm{}), 2, {4, 0, 4, -2});
    columns.dense({1, 0, 0, 0});
    CHECK(near(columns.param, {0.6, 0, 0.8, -1}, 2e-7));
}
