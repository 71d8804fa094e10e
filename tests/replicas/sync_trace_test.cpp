// SPDX-License-Identifier: MIT
// Schedules that TensorFlow's SyncReplicasOptimizer has executed, event by event (tests/reference/sync_replicas.py), executed again.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {
constexpr auto g0 = xg::input<"g0", float>;
constexpr auto g1 = xg::input<"g1", double>;
constexpr auto gs = xg::input<"gs", float, 2, 1>;
constexpr auto rows = xg::input<"rows", std::int64_t, 2>;
constexpr auto v0 = xg::variable<"v0", float>;
constexpr auto v1 = xg::variable<"v1", double>;
constexpr auto vs = xg::variable<"vs", float, 4, 1>;
constexpr auto loss = v1 * g1 + xg::cast<double>(v0 * g0 + xg::sum(xg::gather(vs, rows) * gs));   // gradients: what is fed

struct reader {
    std::ifstream in{XGRAD_TEST_DATA "/sync_replicas.txt"};
    std::string line;
    int number = 0;   // of the line
    bool next() {
        ++number;
        return static_cast<bool>(std::getline(in, line));
    }
};
double number(std::istream& in) {
    std::string word;
    in >> word;
    return std::strtod(word.c_str(), nullptr);
}

/// One trace. `at` has read its first line, and has read the first line of the next trace afterwards. Returns the number of updates.
template<class How, class Rule>
int go_through(reader& at, xg::sync_options const& options, Rule const& rule) {
    constexpr bool by_variable = std::is_same_v<How, xg::faithful>;
    auto train = xg::minimize<xg::gating::graph>(loss, rule);
    train.assign(v0, 0.5f);
    train.assign(v1, -0.25);
    train.assign(vs, xg::array(std::vector<float>{1, 2, 3, 4}.data(), 4, 1));
    xg::sync_replicas replicas(train, How{}, options);
    typename decltype(replicas)::replay replay(replicas);
    std::vector<int> pushed(static_cast<std::size_t>(options.workers), 0);
    bool taking = false;
    int updates = 0;
    auto const near = [](double value) { return doctest::Approx(value).epsilon(2e-6); };
    while (at.next()) {
        std::istringstream line(at.line);
        std::string what;
        CAPTURE(at.number);
        int k = 0, u = 0;
        line >> what;
        if (what == "compute") {
            line >> k;
            auto const first = static_cast<float>(number(line));
            double const second = number(line);
            std::int64_t which[2];
            line >> which[0] >> which[1];
            float values[2];
            for (float& v : values) v = static_cast<float>(number(line));
            replay.compute(k, g0 = first, g1 = second, gs = xg::array(values, 2, 1), rows = xg::array(which, 2));
        } else if (what == "push") {
            line >> k >> u;
            bool const last = ++pushed[static_cast<std::size_t>(k)] == 3;
            if (last) pushed[static_cast<std::size_t>(k)] = 0;
            if constexpr (by_variable) {
                if (u == 0) replay.push(k, v0);
                else if (u == 1) replay.push(k, v1);
                else replay.push(k, vs);
            } else if (last) replay.push(k);
        } else if (what == "take") {
            line >> u;
            taking = true;
            if constexpr (by_variable) REQUIRE((u == 0 ? replay.take(v0) : u == 1 ? replay.take(v1) : replay.take(vs)));
        } else if (what == "chief") {
            REQUIRE(replay.can_update());
            replay.update();
            taking = false;
            ++updates;
        } else if (what == "begin") {
            line >> k;
            REQUIRE(replay.begin(k));
        } else if (what == "=") {
            if (!by_variable && (taking || std::any_of(pushed.begin(), pushed.end(), [](int p) { return p > 0; }))) continue;
            std::int64_t n = 0;
            line >> n;
            CHECK(train.global_step() == n);
            line >> n;
            CHECK(replay.state().tokens().count == n);
            for (int i = 0; i < 3; ++i) {
                line >> n;
                if constexpr (by_variable)
                    CHECK((i == 0 ? replay.num_accumulated(v0) : i == 1 ? replay.num_accumulated(v1) : replay.num_accumulated(vs)) == n);
                else CHECK(replay.state().fresh() == n);
            }
            for (int i = 0; i < options.workers; ++i) {
                line >> n;
                CHECK(replay.state().local_step(i) == n);
            }
            if (taking) continue;   // TensorFlow has moved some variables already
            CHECK(train.value(v0)() == near(number(line)));
            CHECK(train.value(v1)() == near(number(line)));
            for (int r = 0; r < 4; ++r) CHECK(train.value(vs)(r, 0) == near(number(line)));
            CHECK(line);
        } else if (what != "start") break;
    }
    return updates;
}
}   // namespace

TEST_CASE_TEMPLATE("traces of TensorFlow's SyncReplicasOptimizer", How, xg::fused, xg::faithful) {
    reader at;
    int traces = 0, updates = 0;
    REQUIRE(at.next());
    while (at.in) {
        std::istringstream line(at.line);
        std::string rule, order;
        xg::sync_options options;
        line >> rule >> order >> options.workers >> options.replicas_to_aggregate >> options.initial_tokens;
        REQUIRE(line);
        CAPTURE(traces);
        if (std::is_same_v<How, xg::fused> && order == "parts") {   // an order that it does not have
            while (at.next() && !at.line.starts_with("sgd ") && !at.line.starts_with("momentum ") && !at.line.starts_with("adam ")) {}
            continue;
        }
        ++traces;
        if (rule == "sgd") updates += go_through<How>(at, options, xg::gradient_descent{.learning_rate = .25});
        else if (rule == "momentum") updates += go_through<How>(at, options, xg::momentum{.learning_rate = .125, .momentum = .75});
        else if (rule == "adam") updates += go_through<How>(at, options, xg::adam{.learning_rate = .05});
        else FAIL("a rule that there is not: " << rule);
    }
    CHECK(traces == (std::is_same_v<How, xg::fused> ? 12 : 24));
    CHECK(updates > 2 * traces);
}
