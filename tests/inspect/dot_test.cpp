// SPDX-License-Identifier: MIT
#include <support/text.hpp>

#include <doctest/doctest.h>

#include "plan/models.hpp"

#include <xgrad/inspect/describe.hpp>
#include <xgrad/inspect/dot.hpp>

#include <set>
#include <sstream>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

using test::count;

/// Braces and quotes are balanced, each edge joins two nodes that are declared before it, no edge comes twice or has a label.
template<class X>
std::string check() {
    std::string const dot = xg::to_dot<X>();
    CHECK(count(dot, "{") == count(dot, "}"));
    CHECK((count(dot, "\"") - count(dot, "\\\"")) % 2 == 0);
    std::set<std::string> nodes, edges;
    std::istringstream lines(dot);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first, second, third;
        words >> first >> second >> third;
        if (second == "->") {
            if (!third.empty() && third.back() == ';') third.pop_back();
            CHECK_MESSAGE(nodes.count(first) == 1, line);
            CHECK_MESSAGE(nodes.count(third) == 1, line);
            CHECK_MESSAGE(edges.insert(first + third).second, line);
            CHECK_MESSAGE(line.find("label=") == std::string::npos, line);   // it would cross other edges
        } else if (second.substr(0, 7) == "[label=") CHECK_MESSAGE(nodes.insert(first).second, line);
    }
    using P = xg::program_type_of<X>;
    int frames = 0;
    for (int s = 0; s < P::plan.step_count; ++s) frames += !P::plan.steps[s].fused;
    CHECK(count(dot, "subgraph cluster_") == frames);
    return dot;
}

constexpr auto quoted = xg::input<"a \"quoted\\name", float, 3>;
using quoting = decltype(xg::function{xg::exp(quoted)});

// A kernel and a loop that write parts of one concatenation.
namespace joined {
constexpr auto x = xg::input<"x", float, 4, 2>;
constexpr auto rows = xg::gather(xg::variable<"table", float, 5, 3>, xg::input<"ids", std::int32_t, 4>);
struct body : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
};
constexpr auto last = std::get<0>(xg::scan<body>(xg::carry(xg::broadcast_to<2>(xg::constant<float, 0>)), x));
using by_kernel = decltype(xg::function{xg::sum(xg::square(xg::concat<1>(xg::tanh(x), rows)))});
using by_loop = decltype(xg::function{xg::matmul(x, xg::expand_dims<1>(xg::exp(last)))});   // x is read two steps behind the loop again
}

// A branch with a call in one of its bodies, then a loop with a condition, with gradients.
namespace bodies {
constexpr auto x = xg::input<"x", float, 4, 2>;
struct block : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(h * xg::variable<"u", float, 2>); }
};
struct calls : xg::region {
    static constexpr auto value(auto h) { return xg::call<block>(h + 1_c); }
};
struct small_yet : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::logical_and(xg::less(xg::sum(h), 9_c), xg::less(k, 3_c)); }
};
struct grows : xg::region {
    static constexpr auto value(auto h, auto k) { return xg::carry(h * 1.5_c + 1_c, k + 1_c); }
};
constexpr auto taken = xg::cond<calls, block>(xg::input<"p", bool>, x);
constexpr auto last = std::get<0>(xg::while_loop<small_yet, grows, 5>(xg::carry(taken, xg::constant<std::int32_t, 0>)));
using function = decltype(xg::function{xg::outputs(last, xg::gradient_of(xg::sum(last), x))});
}

}   // namespace

TEST_CASE("pictures of plans are well formed") {
    check<models::mlp::training>();
    check<models::mlp::plain>();
    check<models::mlp::inference>();
    check<models::tanh3::training>();
    check<models::wide_and_deep::training>();
    check<models::log_sum_exp::function>();
    check<models::mixture::training>();
    check<models::residual::training>();
    check<models::with_dropout::training>();
    check<models::scattered::function>();
    check<models::averages::training>();
}
TEST_CASE("texts and pictures show each body, and that a condition reads the carries") {
    std::string const text = xg::describe<bodies::function>();
    for (char const* line :
        {"branch  one of 2 bodies, selected by p\n            body 0:\n", "call    a body\n",
            "while   body 0 while body 1, history of 5 turns\n            body 0:\n",
            "body 1:\n            carry.0 = carry 0 of body 0\n            carry.1 = carry 1 of body 0\n            continues while result\n"})
        CHECK_MESSAGE(text.find(line) != std::string::npos, line, text);
    std::string const dot = xg::to_dot<bodies::function>();
    CHECK(count(dot, "{") == count(dot, "}"));
    for (char const* part : {" branch\"", " call\"", " while\""}) CHECK_MESSAGE(dot.find(part) != std::string::npos, part);
    for (char const* part : {"_result0 -> s", "_1_input0 [style=dotted", "_1_input1 [style=dotted"})
        CHECK_MESSAGE(dot.find(part) != std::string::npos, part, dot);
    CHECK(count(dot, "s2_1_result0 -> ") == 0);   // the condition decides, and writes nothing
}
TEST_CASE("a new value comes from the update that leaves it") {
    std::string const dot = check<models::constrained::training>();   // tests/inspect/expected/constrained.txt
    CHECK(dot.find("s8 -> s9_") != std::string::npos);                // the maximum reads what the rule leaves
    CHECK(dot.find("s10 -> s13_") != std::string::npos);              // the average what the constraint leaves
    CHECK(dot.find("s8 -> s13_") == std::string::npos);
}
TEST_CASE("what is seen of a small model") {
    std::string const dot = check<models::mlp::inference>();
    CHECK(dot.find("[label=\"x\\nbatch × 784\", shape=ellipse") != std::string::npos);
    CHECK(dot.find("[label=\"w1\\n784 × 128\", shape=cylinder") != std::string::npos);
    CHECK(count(dot, "label=\"relu\\nbatch × 128\"") == 1);   // what it writes
    CHECK(count(dot, "label=\"exp\\nbatch × 10\"") == 1);
    CHECK(count(dot, "s0_name [label=\"0 product\"") == 1);
    CHECK(dot.find("bgcolor=\"#ffffff\"") != std::string::npos);
}
TEST_CASE("an update in the tiles of a product stands in its frame") {
    std::string const dot = check<models::mlp::training>();
    CHECK(count(dot, "label=\"adam\\n") == 4);
    CHECK(count(dot, "weight=8") > 0);
}
TEST_CASE("kernels and loops write memory that others read") {
    std::string const dot = check<joined::by_kernel>();
    CHECK(count(dot, "shape=folder") == 1);   // of two steps
    CHECK(count(dot, " -> buffer") == 2);
    std::string const loop = xg::to_dot<joined::by_loop>();
    CHECK(count(loop, "input0 -> s3_0 [style=dashed") == 1);
}
TEST_CASE("names are quoted") { CHECK(check<quoting>().find("[label=\"a \\\"quoted\\\\name\\n3\"") != std::string::npos); }
