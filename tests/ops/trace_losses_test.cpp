// SPDX-License-Identifier: MIT
// Values and gradients of cross entropies and softmax of TensorFlow, from reference/ops_trace.txt.
#include "trace.hpp"

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace tensorflow;
}

TEST_CASE_TEMPLATE("TensorFlow: large logits and infinities, which depend on the type", T, float, double) {
    auto const at = [](std::string const& name) -> trace_case const& { return trace().at(name + (sizeof(T) == 8 ? ".f64" : "")); };
    constexpr auto three = xg::input<"logits", T, n, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    auto bind = [&](std::string const& name, std::string const& input) { return as<T>(at(name).inputs.at(input)); };
    auto const a = bind("sparse_softmax_cross_entropy_large", "logits");
    auto const b = as<std::int32_t>(at("sparse_softmax_cross_entropy_large").inputs.at("labels"));
    general_case<T>("sparse_softmax_cross_entropy_large", xg::sparse_softmax_cross_entropy(three, ids), 0, {"logits"}, three = a, ids = b);
    constexpr auto m = xg::input<"m", T, n, 3>;
    auto const r = bind("logsumexp_minus_inf", "x");
    general_case<T>("logsumexp_minus_inf", xg::log_sum_exp<1>(m), 0, {"x"}, m = r);
    xg::function lse{xg::log_sum_exp<1>(m)};
    constexpr auto um = xg::input<"up", T, n, 3>;
    auto const large = bind("log_softmax_large", "x"), part = bind("log_softmax_minus_inf", "x"), none = bind("softmax_minus_inf", "x");
    general_case<T>("log_softmax_large", xg::log_softmax(m), um, {"x"}, m = large);
    general_case<T>("log_softmax_minus_inf", xg::log_softmax(m), um, {"x"}, m = part);
    compare<T>("softmax_minus_inf", xg::function{xg::softmax(m)}(m = none), at("softmax_minus_inf").outputs[0]);
    for (std::string const name : {"logsumexp_all_minus_inf", "logsumexp_plus_inf"}) {
        auto const v = bind(name, "x");
        compare<T>(name, lse(m = v), at(name).outputs[0]);
    }
}

TEST_CASE("TensorFlow: cross entropies and softmax") {
    using T = double;
    auto const at = [](std::string const& name) -> trace_case const& { return trace().at(name + ".f64"); };
    constexpr auto four = xg::input<"logits", T, n, 4>;
    constexpr auto labels4 = xg::input<"labels", T, n, 4>;
    constexpr auto three = xg::input<"logits", T, n, 3>;
    constexpr auto labels3 = xg::input<"labels", T, n, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    constexpr auto l = xg::input<"l", T, n>;
    constexpr auto z = xg::input<"z", T, n>;
    constexpr auto m = xg::input<"m", T, n, 3>;
    constexpr auto um = xg::input<"up", T, n, 3>;
    auto bind = [&](std::string const& name, std::string const& input) { return as<T>(at(name).inputs.at(input)); };
    auto const a = bind("softmax_cross_entropy", "logits"), b = bind("softmax_cross_entropy", "labels");
    general_case<T>("softmax_cross_entropy", xg::softmax_cross_entropy(four, labels4), up<T>, {"logits", "labels"}, four = a, labels4 = b);
    auto const c = bind("softmax_cross_entropy_labels_not_normalised", "logits"),
               d = bind("softmax_cross_entropy_labels_not_normalised", "labels");
    general_case<T>("softmax_cross_entropy_labels_not_normalised", xg::softmax_cross_entropy(three, labels3), 0, {"logits", "labels"},
        three = c, labels3 = d);
    auto const e = bind("sparse_softmax_cross_entropy", "logits");
    auto const f = as<std::int32_t>(at("sparse_softmax_cross_entropy").inputs.at("labels"));
    general_case<T>("sparse_softmax_cross_entropy", xg::sparse_softmax_cross_entropy(four, ids), up<T>, {"logits"}, four = e, ids = f);
    auto const g = bind("sigmoid_cross_entropy", "logits"), h = bind("sigmoid_cross_entropy", "labels");
    general_case<T>("sigmoid_cross_entropy", xg::sigmoid_cross_entropy(l, z), 0, {"logits", "labels"}, l = g, z = h);
    auto const s = bind("softmax", "x"), q = bind("logsumexp", "x");
    general_case<T>("softmax", xg::softmax(m), um, {"x"}, m = s);
    general_case<T>("log_softmax", xg::log_softmax(m), um, {"x"}, m = s);
    general_case<T>("logsumexp", xg::log_sum_exp<1>(m), up<T>, {"x"}, m = q);
}
