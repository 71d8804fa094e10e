// SPDX-License-Identifier: MIT
// The text of plans against files in tests/plan/expected. With XGRAD_UPDATE_EXPECTED=1 in the environment the files are written instead: look at the
// difference before you keep it.
#include <doctest/doctest.h>

#include "plan/models.hpp"

#include <xgrad/plan/describe.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace xg = xgrad;

namespace {

template<class X>
void check(std::string const& name) {
    std::string const file = XGRAD_SOURCE_DIR "/tests/plan/expected/" + name + ".txt", text = xg::describe<X>();
    if (char const* update = std::getenv("XGRAD_UPDATE_EXPECTED"); update != nullptr && *update == '1') {
        std::ofstream(file) << text;
        MESSAGE("wrote ", file);
        return;
    }
    std::ifstream in(file);
    REQUIRE_MESSAGE(in, "cannot read ", file);
    std::ostringstream expected;
    expected << in.rdbuf();
    CHECK_MESSAGE(expected.str() == text, "the plan of ", name, " has changed; it is now\n", text, "\nrun with XGRAD_UPDATE_EXPECTED=1 to write the files anew and review the difference");
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
TEST_CASE("scattered gradient") { check<models::scattered::function>("scattered"); }
