// SPDX-License-Identifier: MIT
// Every number of every rule is held to a range: what is out of it is refused in a sentence with the rule and the parameter.
#include <xgrad/optim/optim.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>
#include <tuple>

using namespace xgrad;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// The members of a rule; the compiler refuses a wrong number of them.
template<int N, class Rule>
auto members(Rule& r) {
    if constexpr (N == 1) {
        auto& [a] = r;
        return std::tie(a);
    } else if constexpr (N == 2) {
        auto& [a, b] = r;
        return std::tie(a, b);
    } else if constexpr (N == 3) {
        auto& [a, b, c] = r;
        return std::tie(a, b, c);
    } else if constexpr (N == 4) {
        auto& [a, b, c, d] = r;
        return std::tie(a, b, c, d);
    } else if constexpr (N == 5) {
        auto& [a, b, c, d, e] = r;
        return std::tie(a, b, c, d, e);
    } else if constexpr (N == 6) {
        auto& [a, b, c, d, e, f] = r;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (N == 7) {
        auto& [a, b, c, d, e, f, g] = r;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (N == 8) {
        auto& [a, b, c, d, e, f, g, h] = r;
        return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (N == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = r;
        return std::tie(a, b, c, d, e, f, g, h, i);
    } else {
        static_assert(N == 11);
        auto& [a, b, c, d, e, f, g, h, i, j, k] = r;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    }
}
/// What may be negative, and what may be infinite.
std::set<std::string> const signed_numbers{"add_sign: alpha", "add_sign: sign_decay", "clip_by_value: max", "freeze: frozen",
    "ftrl: learning_rate_power", "multiply_gradient: factor", "muon: a", "muon: b", "muon: c", "power_sign: sign_decay", "prodigy: beta3"},
    endless{"adafactor: clipping_threshold", "unfactored_adafactor: clipping_threshold"};

struct complaints {
    std::string of_nan, of_negative, of_infinity, of_function;
};
/// The sentence about NaN names the parameter; the others are about the same one.
std::string parameter_of(std::string_view rule, complaints const& c) {
    INFO(rule << ": " << c.of_nan << "; " << c.of_negative << "; " << c.of_infinity << "; " << c.of_function);
    std::string const which = c.of_nan.substr(0, c.of_nan.find(" must be "));
    CHECK(which.size() < c.of_nan.size());
    CHECK(which.starts_with(std::string(rule) + ": "));
    CHECK(c.of_nan.ends_with("nan"));
    CHECK(c.of_negative == (signed_numbers.contains(which) ? "" : c.of_nan.substr(0, c.of_nan.find("found")) + "found -1"));
    CHECK(c.of_infinity == (endless.contains(which) ? "" : c.of_nan.substr(0, c.of_nan.find("found")) + "found inf"));
    if (!c.of_function.empty())
        CHECK(c.of_function == c.of_nan + " in step 7; a schedule gives NaN where its number of steps is not positive");
    return which;
}
template<class Rule, class Member>
std::string with(Rule const& rule, Member& member, double number) {
    Member const kept = member;
    if constexpr (std::is_arithmetic_v<Member> || std::is_same_v<Member, hyper>) member = static_cast<Member>(number);
    else member = static_cast<std::int64_t>(number);   // a number of steps
    std::string const sentence(check_of(rule).view());
    member = kept;
    return sentence;
}
std::string say_nan(std::string sentence) {   // printf may write a sign
    auto const at = sentence.find("-nan");
    return at == std::string::npos ? sentence : sentence.erase(at, 1);
}
template<class Rule, class Member>
void hold(Rule& rule, Member& member, std::set<std::string>& named) {
    if constexpr (std::is_same_v<Member, std::int64_t> || std::is_same_v<Member, xgrad::step_period>) {
        CHECK(with(rule, member, -1).find(" must be ") != std::string::npos);
    } else if constexpr (!std::is_same_v<Member, bool>) {
        complaints c{say_nan(with(rule, member, nan)), with(rule, member, -1), with(rule, member, infinite), ""};
        if constexpr (std::is_same_v<Member, hyper>) {
            Rule now = rule;
            Member const kept = member;
            member = [](std::int64_t step) { return step == 7 ? nan : 0; };
            double const powers[power_count<Rule> + 1]{};
            c.of_function = say_nan(std::string(settle(now, rule, 7, powers).view()));
            member = kept;
        }
        CHECK(named.insert(parameter_of(Rule::name, c)).second);   // each member has its own name
    }
}
template<class Rule, int N>
void held() {
    Rule rule{};
    CHECK(check_of(rule).empty());
    std::set<std::string> named;
    std::apply([&](auto&... member) { (hold(rule, member, named), ...); }, members<N>(rule));
}

}   // namespace

TEST_CASE("NaN, infinite and negative numbers of every rule are refused by name") {
    held<adabelief, 5>();
    held<adadelta, 3>();
    held<adafactor, 7>();
    held<unfactored_adafactor, 7>();
    held<adagrad, 2>();
    held<adagrad_da, 4>();
    held<adam, 4>();
    held<adam_gs, 4>();
    held<adamax, 4>();
    held<adamw, 6>();
    held<adan, 7>();
    held<add_sign, 4>();
    held<ademamix, 7>();
    held<amsgrad, 4>();
    held<asgd, 4>();
    held<centered_rms_prop, 5>();
    held<contrib_shampoo, 7>();
    held<fromage, 2>();
    held<ftrl, 8>();
    held<gradient_descent, 1>();
    held<group_adagrad, 5>();
    held<group_ftrl, 5>();
    held<lamb, 5>();
    held<lars, 6>();
    held<lazy_adam, 4>();
    held<lion, 4>();
    held<madgrad, 3>();
    held<momentum, 3>();
    held<momentum_w, 4>();
    held<muon, 11>();
    held<nadam, 4>();
    held<novograd, 6>();
    held<optimistic_gradient_descent, 3>();
    held<partial_rowwise_adam, 5>();
    held<power_sign, 4>();
    held<prodigy, 9>();
    held<proximal_adagrad, 4>();
    held<proximal_gradient_descent, 3>();
    held<pytorch_adagrad, 3>();
    held<pytorch_adam, 4>();
    held<pytorch_adamax, 4>();
    held<pytorch_adamw, 5>();
    held<pytorch_amsgrad, 5>();
    held<pytorch_centered_rms_prop, 4>();
    held<pytorch_momentum, 4>();
    held<pytorch_nadam, 5>();
    held<pytorch_rms_prop, 4>();
    held<qhadam, 6>();
    held<radam, 4>();
    held<reg_adagrad, 3>();
    held<rms_prop, 5>();
    held<rowwise_adagrad, 3>();
    held<rowwise_rms_prop, 3>();
    held<rprop, 5>();
    held<schedule_free_adamw, 6>();
    held<schedule_free_sgd, 4>();
    held<shampoo, 7>();
    held<signum, 2>();
    held<sm3, 3>();
    held<yogi, 5>();
}
TEST_CASE("NaN, infinite and negative numbers of every link are refused by name") {
    held<adaptive_clip, 2>();
    held<average_norm_clipping, 1>();
    held<decoupled_decay, 2>();
    held<dynamic_loss_scale, 3>();
    held<ema, 3>();
    held<fixed_loss_scale, 1>();
    held<freeze, 1>();
    held<global_norm_clipping, 1>();
    held<l1_regularization, 1>();
    held<l2_regularization, 1>();
    held<lookahead, 2>();
    held<max_column_norm, 1>();
    held<max_row_norm, 1>();
    held<multi_steps, 1>();
    held<multiply_gradient, 1>();
    held<norm_clipping, 1>();
    held<polyak_average, 2>();
}
TEST_CASE("a rule around another one names its own numbers and those of the rule") {
    CHECK(check_of(averaged_steps{adafactor{}, 1}) == "adafactor: beta must be in [0, 1), found 1");
    CHECK(check_of(averaged_steps{adafactor{.epsilon = -1}}) == "adafactor: epsilon must be positive, found -1");
    CHECK(check_of(counted{adagrad{}, -1}) == "adagrad: frequency_power must be positive or zero, found -1");
    CHECK(check_of(lazy{adam{.beta2 = 1}}) == "adam: beta2 must be in [0, 1), found 1");
    CHECK(check_of(chain(decoupled_decay{.rate = -1}, adam{})) == "decoupled_decay: rate must be positive or zero, found -1");
}
