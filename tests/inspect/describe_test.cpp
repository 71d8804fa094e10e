// SPDX-License-Identifier: MIT
// The text of plans against files in tests/inspect/expected. With XGRAD_UPDATE_EXPECTED=1 in the environment the files are written instead:
// look at the difference before you keep it.
#include <doctest/doctest.h>

#include "plan/models.hpp"

#include <xgrad/inspect/describe.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace xg = xgrad;

namespace {

template<class X>
void check(std::string const& name) {
    std::string const file = XGRAD_SOURCE_DIR "/tests/inspect/expected/" + name + ".txt", text = xg::describe<X>();
    if (char const* update = std::getenv("XGRAD_UPDATE_EXPECTED"); update != nullptr && *update == '1') {
        std::ofstream(file) << text;
        MESSAGE("wrote ", file);
        return;
    }
    std::ifstream in(file);
    REQUIRE_MESSAGE(in, "cannot read ", file);
    std::ostringstream expected;
    expected << in.rdbuf();
    CHECK_MESSAGE(expected.str() == text, "the plan of ", name, " has changed; it is now\n", text,
        "\nrun with XGRAD_UPDATE_EXPECTED=1 to write the files anew and review the difference");
}

}   // namespace

TEST_CASE("classifier") { check<models::mlp::training>("mlp"); }
TEST_CASE("classifier, updates after all gradients") { check<models::mlp::gated>("mlp_gated"); }
TEST_CASE("classifier, one operation at a time") { check<models::mlp::plain>("mlp_plain"); }
TEST_CASE("classifier, function only") { check<models::mlp::inference>("mlp_inference"); }
TEST_CASE("three layers, squared error, static shapes") { check<models::tanh3::training>("tanh3"); }
TEST_CASE("wide and deep") { check<models::wide_and_deep::training>("wide_and_deep"); }
TEST_CASE("log-sum-exp and its gradient") { check<models::log_sum_exp::function>("log_sum_exp"); }
TEST_CASE("linear regression") { check<models::linear_regression::training>("linear_regression"); }
TEST_CASE("Gaussian mixture") { check<models::mixture::training>("mixture"); }
TEST_CASE("twenty operations in a row") { check<models::chain::function>("chain"); }
TEST_CASE("residual blocks") { check<models::residual::training>("residual"); }
TEST_CASE("dropout") { check<models::with_dropout::training>("dropout"); }
TEST_CASE("two named dimensions") { check<models::sequence::training>("sequence"); }
TEST_CASE("a loop and its gradient") {
    check<models::recurrent::inference>("recurrent_inference");
    check<models::recurrent::training>("recurrent");
}
TEST_CASE("new values of variables") { check<models::averages::training>("averages"); }
TEST_CASE("constraints on new values") { check<models::constrained::training>("constrained"); }
TEST_CASE("several outputs") { check<models::best::function>("best"); }
TEST_CASE("scattered gradient") { check<models::scattered::function>("scattered"); }

TEST_CASE("objects, types and streams give the same text") {
    auto train = xg::minimize(models::tanh3::loss, xg::momentum{.learning_rate = 0.01});
    std::ostringstream out;
    xg::describe(out, train);
    CHECK(out.str() == xg::describe(train));
    CHECK(out.str() == xg::describe<decltype(train)>());
    CHECK(out.str() == xg::describe<models::tanh3::training::program_type>());
}

TEST_CASE("summary") {
    auto train = xg::minimize(models::mlp::loss, xg::adam{});
    CHECK(xg::summarize(train, models::batch = 64) ==
          "parameters 101,770 in 4 variables; adam moves 101,770 with 203,540 slot values\n"
          "steps      12: 5 matrix products, 3 loop nests, 4 updates\n"
          "fused      19 operations in 3 loop nests, 5 in the tiles of products, 2 of 4 updates in the product that makes the gradient\n"
          "arena      71,232 bytes in 6 blocks for 9 intermediates of 73,776 bytes at batch = 64\n"
          "cost       27,460,730 flops, 2,209,740 bytes read, 1,295,016 bytes written in a call at batch = 64\n");
    train.reserve(models::batch = 64);
    CHECK(train.arena_bytes() == 71232);
    std::string const open = xg::summarize(train);
    CHECK(open.find("409992*batch") != std::string::npos);
    CHECK(open.find(" at ") == std::string::npos);
    CHECK(std::count(open.begin(), open.end(), '\n') == 5);
    auto fixed = xg::minimize(models::tanh3::loss, xg::momentum{.learning_rate = 0.01});
    CHECK(xg::summarize(fixed).find("32*") == std::string::npos);   // numbers, where nothing is open
    CHECK_THROWS_AS(static_cast<void>(xg::summarize(xg::minimize(models::sequence::loss, xg::adam{}), models::batch = 2)), xg::value_error);
}

TEST_CASE("the text in the documentation is that of the library") {
    std::ifstream in(XGRAD_SOURCE_DIR "/docs/describe.md");
    std::ostringstream page;
    page << in.rdbuf();
    CHECK(page.str().find("```\n" + xg::describe<models::mlp::training>() + "```\n") != std::string::npos);
}
