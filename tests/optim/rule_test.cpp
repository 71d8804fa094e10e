// SPDX-License-Identifier: MIT
// The protocol of a rule with the rule of its documentation, and ten steps of every rule against TensorFlow.
#include <xgrad/optim/rules/adafactor.hpp>
#include <xgrad/optim/rules/adagrad.hpp>
#include <xgrad/optim/rules/adam.hpp>
#include <xgrad/optim/rules/adamw.hpp>
#include <xgrad/optim/rules/ftrl.hpp>
#include <xgrad/optim/rules/lamb.hpp>
#include <xgrad/optim/rules/lazy_adam.hpp>
#include <xgrad/optim/rules/momentum.hpp>
#include <xgrad/optim/rules/rms_prop.hpp>
#include <xgrad/optim/rules/rowwise_adagrad.hpp>
#include <xgrad/optim/rules/sgd.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "optim/reference.hpp"

using xgrad_test::table;

namespace {
struct signum {
    static constexpr std::string_view name = "signum", tf_name = "Signum";
    xgrad::hyper learning_rate{1e-3}, beta{0.9};
    static constexpr std::array<std::string_view, 1> slots{"mean"};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate, beta;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {T(learning_rate(step)), T(beta(step))};
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V (&slot)[1]) {   // an array serves as well as a pointer
        slot[0] = V(s.beta) * slot[0] + V(T(1) - s.beta) * grad;
        param = param - V(s.rate) * xgrad::math::sign(slot[0]);
    }
};
struct not_a_rule {};
static_assert(xgrad::UpdateRule<signum> && !xgrad::UpdateRule<not_a_rule> && !xgrad::UpdateRule<int>);
static_assert(xgrad::explain_rule<signum>());

xgrad_test::reference const& tools() {
    static xgrad_test::reference const values(XGRAD_TEST_DATA "/optimizers.txt", 0);
    return values;
}

template<class T, class Rule>
void compare(std::string const& name, Rule rule, double tolerance, bool sparse_too = true, bool dense_too = true, std::int64_t width = 3) {
    for (bool sparse : {false, true}) {
        if (sparse ? !sparse_too : !dense_too) continue;
        table<Rule, T> v(rule, width, xgrad_test::reference_start<T>());   // or one row of other length, of the same elements
        std::string const which = name + (sizeof(T) == 4 ? ".float." : ".double.") + (sparse ? "sparse " : "dense ");
        for (int step = 1; step <= 10; ++step) {
            xgrad_test::reference_step(v, step, sparse);
            auto const same = [&](std::string const& quantity, std::vector<T> const& values) {
                tools().compare(which + std::to_string(step) + " " + quantity, xgrad_test::as_doubles(values), tolerance);
            };
            same("theta", v.param);
            for (int k = 0; k < xgrad::slot_count<Rule> - (width == 1); ++k)   // of a vector optax has one moment
                same(std::string(xgrad::rule_slots<Rule>[static_cast<std::size_t>(k)].name), v.slots[static_cast<std::size_t>(k)]);
        }
    }
}
}   // namespace

TEST_CASE("a user's own rule") {
    table<signum> v({.learning_rate = 0.5, .beta = 0.5}, {1, 2, 3});
    v.dense({1, -1, 0});
    CHECK(v.param == std::vector<double>{0.5, 2.5, 3});
    CHECK(v.slots[0] == std::vector<double>{0.5, -0.5, 0});
    CHECK(xgrad::check_of(v.rule).empty());
    CHECK(xgrad::power_count<signum> == 0);
    CHECK(xgrad::tf_slot_name<signum>("w", 0) == "w/Signum");
}

/// Its bodies use slot Slot, reduction Reduction and term Term of one each.
template<int Slot, int Reduction, int Term>
struct beyond_rule {
    static constexpr std::string_view name = "beyond";
    xgrad::hyper learning_rate{0.1};
    static constexpr std::array<std::string_view, 1> slots{"mean"};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row)};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step))};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V gradient, V const*, V* term) {
        term[0] = gradient;
        term[Term] = gradient;
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& parameter, V gradient, V* slot, V const* reduced) {
        slot[0] = slot[0] + gradient;
        parameter = parameter - V(s.rate) * slot[Slot] * reduced[Reduction];
    }
};

TEST_CASE("an index beyond the slots, reductions or terms of a rule is found before a step") {
    auto const says = [](auto const& rule, std::string const& what) {
        std::string const sentence =
            "beyond: update(...) or terms(...) uses an element after the last of its 1 " + what + "; declare one more, or count from 0";
        CHECK(xgrad::check_of(rule) == (XGRAD_CHECKS != 0 ? sentence : std::string()));
    };
    CHECK(xgrad::check_of(beyond_rule<0, 0, 0>{}).empty());
    says(beyond_rule<1, 0, 0>{}, "slots");
    says(beyond_rule<0, 1, 0>{}, "reductions");
    says(beyond_rule<0, 0, 1>{}, "terms");
    says(xgrad::lazy{beyond_rule<1, 0, 0>{}}, "slots");
}

TEST_CASE_TEMPLATE("ten steps of every rule as by TensorFlow", T, float, double) {
    double const tolerance = sizeof(T) == 8 ? 1e-12 : 2e-6;
    compare<T>("gradient_descent", xgrad::gradient_descent{.learning_rate = 0.1}, tolerance);
    compare<T>("momentum", xgrad::momentum{.learning_rate = 0.1, .momentum = 0.9}, tolerance);
    compare<T>("nesterov", xgrad::momentum{.learning_rate = 0.1, .momentum = 0.9, .use_nesterov = true}, tolerance);
    compare<T>("adagrad", xgrad::adagrad{.learning_rate = 0.3}, tolerance);
    // TensorFlow's float32 powers leave 1 − β₂ᵗ with a few digits less in the first steps
    compare<T>("adam", xgrad::adam{.learning_rate = 0.05}, sizeof(T) == 8 ? 1e-12 : 2e-5);
    compare<T>("rms_prop", xgrad::rms_prop{.learning_rate = 0.05, .decay = 0.875, .momentum = 0.5, .epsilon = 1e-3}, tolerance);
    compare<T>(
        "centered_rms_prop", xgrad::centered_rms_prop{.learning_rate = 0.05, .decay = 0.875, .momentum = 0.5, .epsilon = 1e-3}, tolerance);
    xgrad::ftrl f{.learning_rate = 0.3};
    compare<T>("ftrl", f, tolerance);
    f = {.learning_rate = 0.3, .initial_accumulator = 0.25, .l1 = 0.125, .l2 = 0.5};
    compare<T>("ftrl_l1_l2", f, tolerance);
    f.l2_shrinkage = 0.25;
    compare<T>("ftrl_shrinkage", f, tolerance);
    f.l2_shrinkage = 0;
    f.learning_rate_power = -0.75;
    compare<T>("ftrl_power", f, tolerance);
}

TEST_CASE("ten steps of the rules that left TensorFlow") {
    compare<double>("lazy_adam", xgrad::lazy_adam{.learning_rate = 0.05}, 1e-12);
    compare<double>("adamw", xgrad::adamw{.learning_rate = 0.05, .weight_decay = 0.01}, 1e-12);
    compare<double>("adamw_by_rate", xgrad::adamw{.learning_rate = 0.05, .weight_decay = 0.01, .decay_by_rate = true}, 1e-12, false);
}

TEST_CASE_TEMPLATE("ten steps of LAMB as by optax", T, float, double) {
    compare<T>("lamb", xgrad::lamb{.learning_rate = 0.05, .epsilon = 1e-3, .weight_decay = 0.125}, sizeof(T) == 8 ? 1e-12 : 2e-5);
}

TEST_CASE_TEMPLATE("ten steps of Adafactor as by optax, of matrices and vectors", T, float, double) {
    double const tolerance = sizeof(T) == 8 ? 1e-12 : 5e-6, none = std::numeric_limits<double>::infinity();
    xgrad::adafactor const rule{.learning_rate = 0.05};
    xgrad::adafactor const clipped{.learning_rate = 0.05, .decay_rate = 0.5, .clipping_threshold = 0.5, .weight_decay = 0.125};
    compare<T>("adafactor", rule, tolerance);
    compare<T>("adafactor_clipped", clipped, tolerance);
    compare<T>("adafactor_plain", xgrad::adafactor{.learning_rate = 0.05, .clipping_threshold = none, .multiply_by_parameter_scale = false},
        tolerance, false, true, 5);
    compare<T>("adafactor_vector", rule, tolerance, false, true, 1);
    compare<T>("adafactor_vector_clipped", clipped, tolerance, false, true, 1);
}

TEST_CASE("Adafactor's hyper-parameters are looked at") {
    CHECK(xgrad::check_of(xgrad::adafactor{}).empty());
    CHECK(xgrad::check_of(xgrad::adafactor{.clipping_threshold = 0}) == "adafactor: clipping_threshold must be positive, found 0");
    CHECK(xgrad::check_of(xgrad::adafactor{.epsilon = -1}) == "adafactor: epsilon must be positive, found -1");
}

TEST_CASE("ten steps of the rules with sums over rows") {
    compare<double>(
        "lazy_lamb", xgrad::lazy{xgrad::lamb{.learning_rate = 0.05, .epsilon = 1e-3, .weight_decay = 0.125}}, 1e-12, true, false);
    compare<double>("rowwise_adagrad", xgrad::rowwise_adagrad{.learning_rate = 0.3, .epsilon = 1e-3, .initial_accumulator = 0.25}, 1e-12);
}
