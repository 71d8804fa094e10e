// SPDX-License-Identifier: MIT
// The optimizer host: one call is one training step. minimize, param_group, apply_gradients.
#pragma once

#include <xgrad/exec/function.hpp>
#include <xgrad/grad/gradients.hpp>
#include <xgrad/optim/rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// A rule for some variables; without variables: for all that no other group names.
template<class Rule, class... V>
struct param_group_type {
    Rule rule;
};
namespace detail {
    struct refused_group {};   // has been reported
}
/// `param_group(xg::ftrl{...}, wide, bias)`: these variables are updated by this rule.
template<class Rule, Expr... V>
constexpr auto param_group(Rule const& rule, V const&...) {
    constexpr bool variables = (detail::is_variable<V> && ...);
    static_assert(explain_rule<Rule>());
    static_assert(variables, "xgrad::param_group(rule, v...): v... must be variables");
    if constexpr (variables && UpdateRule<Rule>) return param_group_type<Rule, V...>{rule};
    else return detail::refused_group{};
}

namespace detail {
    template<class Rule, class... V>
    constexpr bool names_variable(param_group_type<Rule, V...> const*, [[maybe_unused]] std::uint64_t name) {
        return ((V::info.attrs.name_hash == name) || ...);
    }
    template<class G>
    struct group_rule;
    template<class Rule, class... V>
    struct group_rule<param_group_type<Rule, V...>> {
        using type = Rule;
        static constexpr bool rest = sizeof...(V) == 0;
        static constexpr node_info const* variables[sizeof...(V) + 1] = {info_of<V>..., nullptr};
    };
}

/// Gradients of a loss with respect to the variables of groups.
template<class Loss, class... G>
struct minimize_updates {
    using rules = std::tuple<typename detail::group_rule<G>::type...>;
    static constexpr node_info const* loss[1] = {info_of<Loss>};
    static constexpr int max_count = count_nodes(loss, 1);
    static constexpr int node_count() { return 0; }

    static constexpr int group_of(attributes const& a) {
        int found = -1, k = 0;
        ((found = found < 0 && detail::names_variable(static_cast<G const*>(nullptr), a.name_hash) ? k : found, ++k), ...);
        if (found >= 0 || a.integer[0] == 0) return found;   // non-trainable variables are updated only when they are named
        k = 0;
        ((found = found < 0 && detail::group_rule<G>::rest ? k : found, ++k), ...);
        return found;
    }
    static constexpr void build(table_builder& b, node_map& seen, std::vector<plan_update>& out) {
        symbol const y = flatten(b, seen, loss[0]);
        std::vector<symbol> xs;
        std::vector<int> groups;
        for (int i = 0; i < b.row_count; ++i)
            if (b.rows[i].op->kind == op_kind::variable)
                if (int const g = group_of(b.attrs(i)); g >= 0) {
                    xs.push_back(b.at(i));
                    groups.push_back(g);
                }
        std::vector<adjoint> gradients(xs.size(), adjoint{});   // with a value: clang 16 does not take value-initialisation here
        reverse_sweep(b).run(&y, nullptr, 1, xs.data(), static_cast<int>(xs.size()), nullptr, 0, gradients.data());
        for (std::size_t k = 0; k < xs.size(); ++k) {
            adjoint const& g = gradients[k];
            if (!g.exists()) continue;   // unconnected: left alone, as TensorFlow does
            out.push_back({xs[k].index, g.sparse() ? -1 : g.dense.index, g.sparse() ? g.values.index : -1, g.sparse() ? g.indices.index : -1, groups[k], true});
        }
    }
};

/// Gradients that the user has made, with their variables.
template<class Gradient, class V>
struct gradient_pair {};
template<class... Pair>
struct pair_list {};
template<class Rule, class... Pair>
struct apply_updates;
namespace detail {
    template<class G>
    struct pair_infos {   // a dense gradient
        static constexpr node_info const *dense = info_of<G>, *values = nullptr, *indices = nullptr;
        static constexpr bool exists = true;
    };
    template<class V, class I, class D>
    struct pair_infos<indexed_slices<V, I, D>> {
        static constexpr node_info const *dense = nullptr, *values = info_of<V>, *indices = info_of<I>;
        static constexpr bool exists = true;
    };
    template<>
    struct pair_infos<none> {
        static constexpr node_info const *dense = nullptr, *values = nullptr, *indices = nullptr;
        static constexpr bool exists = false;
    };
}
template<class Rule, class... G, class... V>
struct apply_updates<Rule, gradient_pair<G, V>...> {
    using rules = std::tuple<Rule>;
    static constexpr int max_count = sizeof...(V);
    static constexpr int node_count() {
        int n = 0;
        (
            [&] {
                using P = detail::pair_infos<G>;
                node_info const* roots[3]{info_of<V>};
                int k = 1;
                for (auto const* r : {P::dense, P::values, P::indices})
                    if (r != nullptr && k < 3) roots[k++] = r;
                n += count_nodes(roots, k);
            }(),
            ...);
        return n;
    }
    template<class Grad, class Var>
    static constexpr void add(table_builder& b, node_map& seen, std::vector<plan_update>& out) {
        using P = detail::pair_infos<Grad>;
        if constexpr (P::exists) {
            plan_update u{flatten(b, seen, info_of<Var>).index, -1, -1, -1, 0, true};
            if constexpr (P::dense != nullptr) u.dense = flatten(b, seen, P::dense).index;
            else {
                u.values = flatten(b, seen, P::values).index;
                u.indices = flatten(b, seen, P::indices).index;
            }
            out.push_back(u);
        }
    }
    static constexpr void build(table_builder& b, node_map& seen, std::vector<plan_update>& out) { (add<G, V>(b, seen, out), ...); }
};

/// A model under training: variables, slots, optimizer scalars, global step. A call runs one step and returns the outputs (the loss of minimize)
/// as they were before the update.
template<class P>
class trainer : public variable_owner {
    using rules = typename P::rules;
    static constexpr int groups = static_cast<int>(std::tuple_size_v<rules>);
    template<class R>
    struct both_scalars {
        typename R::template scalars<float> f;
        typename R::template scalars<double> d;
    };
    template<class T>
    struct all_scalars;
    template<class... R>
    struct all_scalars<std::tuple<R...>> {
        using type = std::tuple<both_scalars<R>...>;
    };
    // What the runner points into must not move with the trainer.
    struct state {
        runner run{P::runtime.view()};
        rules all;
        typename all_scalars<rules>::type scalars{};
        int first_power[groups + 1]{};
    };
    std::unique_ptr<state> state_;

    static consteval bool uses(int group, dtype type) {   // of the plan: consteval, or the plan itself would be data of the program
        for (int i = 0; i < P::plan.step_count; ++i)
            if (P::plan.steps[i].kind == step_kind::update && P::plan.steps[i].group == group && P::plan.steps[i].type == type) return true;
        return false;
    }
    template<std::size_t... G>
    void create(std::index_sequence<G...>) {
        std::vector<stored_variable> list;
        for (int k = 0; k < P::runtime.view().variable_count; ++k) {
            stored_variable v = describe<P>(k);
            v.group = P::runtime.variables[k].group;
            ((v.group == static_cast<int>(G) ? (v.slot_count = slot_count<std::tuple_element_t<G, rules>>, v.rule = tf_name_of<std::tuple_element_t<G, rules>>(), 0) : 0), ...);
            list.push_back(v);
        }
        store_->create(std::move(list));
        (check_rule(std::get<G>(state_->all)), ...);
        ((state_->first_power[G + 1] = state_->first_power[G] + power_count<std::tuple_element_t<G, rules>>), ...);
        store_->powers.resize(static_cast<std::size_t>(state_->first_power[groups]) + 1);
        (start_group<G>(), ...);
        (connect<G>(), ...);
        state_->run.borrow(*store_);
    }
    template<class R>
    static void check_rule(R const& rule) {
        if (std::string const wrong = check_of(rule); !wrong.empty()) raise<value_error>("xgrad: " + wrong);
    }
    template<std::size_t G>
    void start_group() {
        auto const& rule = std::get<G>(state_->all);
        init_powers_of(rule, store_->powers.data() + state_->first_power[G]);
        for (int k = 0; k < power_count<std::tuple_element_t<G, rules>>; ++k) store_->power_names.push_back(power_name_of<std::tuple_element_t<G, rules>>(k));
        for (auto const& v : store_->variables()) {
            if (v.group != static_cast<int>(G)) continue;
            for (int s = 0; s < v.slot_count; ++s) {
                double const x = slot_init_of(rule, s);
                for (std::int64_t i = 0; i < v.size; ++i) {
                    if (v.type == dtype::float32) static_cast<float*>(v.slots[s])[i] = static_cast<float>(x);
                    else static_cast<double*>(v.slots[s])[i] = x;
                }
            }
        }
    }
    template<std::size_t G>
    void connect() {
        if constexpr (uses(static_cast<int>(G), dtype::float32)) state_->run.set_scalars(static_cast<int>(G), dtype::float32, &std::get<G>(state_->scalars).f);
        if constexpr (uses(static_cast<int>(G), dtype::float64)) state_->run.set_scalars(static_cast<int>(G), dtype::float64, &std::get<G>(state_->scalars).d);
    }
    template<std::size_t G>
    void prepare() {
        auto const& rule = std::get<G>(state_->all);
        double const* powers = store_->powers.data() + state_->first_power[G];
        if constexpr (uses(static_cast<int>(G), dtype::float32)) std::get<G>(state_->scalars).f = rule.template prepare<float>(store_->global_step, powers);
        if constexpr (uses(static_cast<int>(G), dtype::float64)) std::get<G>(state_->scalars).d = rule.template prepare<double>(store_->global_step, powers);
    }
    template<std::size_t... G>
    status start(detail::arguments<P> const& a, bool grow, std::index_sequence<G...>) {
        status const s = state_->run.bind(a.refs, a.given, grow);
        if (!s) return s;
        state_->run.random.seed = store_->seed;
        state_->run.random.step = static_cast<std::uint64_t>(store_->global_step);
        (prepare<G>(), ...);
        flush_denormals const guard;
        if (!detail::run_steps<P>(state_->run.arguments())) return {status_code::index_out_of_range, "indices"};
        (advance_powers_of(std::get<G>(state_->all), store_->powers.data() + state_->first_power[G], store_->global_step), ...);
        ++store_->global_step;
        return {};
    }

public:
    using program_type = P;
    using rule_types = rules;

    explicit trainer(rules const& r) : state_(new state{.all = r}) { create(std::make_index_sequence<static_cast<std::size_t>(groups)>{}); }

    /// One training step. Returns the outputs before the update. Throws shape_error, binding_error, value_error before anything is changed.
    template<class... B>
    auto operator()(B const&... bindings) {
        detail::arguments<P> const a(bindings...);
        if (status const s = start(a, true, std::make_index_sequence<static_cast<std::size_t>(groups)>{}); !s) state_->run.fail(s);
        return detail::results<P>(state_->run);
    }
    /// The form for real-time threads: no exception, no allocation. Reserve first. On failure nothing has been changed.
    template<class... B>
    [[nodiscard]] status try_step(B const&... bindings) noexcept {
        detail::arguments<P> const a(bindings...);
        return start(a, false, std::make_index_sequence<static_cast<std::size_t>(groups)>{});
    }
    auto result() { return detail::results<P>(state_->run); }

    /// Room for steps with these sizes: `train.reserve(batch = 256)`.
    template<class... D>
    void reserve(D... sizes) {
        dim_size const list[]{sizes..., {}};
        state_->run.reserve(list, static_cast<int>(sizeof...(D)));
    }
    std::size_t arena_bytes() const { return state_->run.arena_bytes(); }
    /// Slots and optimizer scalars as at the start, global step 0; the variables stay.
    void reset_optimizer() {
        [this]<std::size_t... G>(std::index_sequence<G...>) { (start_group<G>(), ...); }(std::make_index_sequence<static_cast<std::size_t>(groups)>{});
        store_->global_step = 0;
    }
    /// The number of steps taken.
    std::int64_t global_step() const { return store_->global_step; }
    /// The rule of group G, for changing hyper-parameters between steps.
    template<std::size_t G = 0>
    auto& rule() {
        return std::get<G>(state_->all);
    }
    /// A slot of a variable by its name in the rule: `train.slot(w1, "m")`. Throws binding_error.
    template<Expr V>
    auto slot(V const& variable, std::string_view name) {
        auto view = value(variable);
        auto const& v = of(V::info);
        void* found = nullptr;
        [&]<std::size_t... G>(std::index_sequence<G...>) {
            (
                [&] {
                    using R = std::tuple_element_t<G, rules>;
                    if (v.group != static_cast<int>(G)) return;
                    for (int s = 0; s < slot_count<R>; ++s)
                        if (R::slots[static_cast<std::size_t>(s)] == name) found = v.slots[s];
                }(),
                ...);
        }(std::make_index_sequence<static_cast<std::size_t>(groups)>{});
        if (found == nullptr) raise<binding_error>("xgrad: the variable \"" + std::string(v.name) + "\" has no slot \"" + std::string(name) + "\"");
        return decltype(view)(static_cast<typename V::element*>(found), view.shape());
    }
};

namespace detail {
    template<gating Gate, bool Fuse, class Loss, class... G>
    auto make_trainer(Loss const&, G const&... groups) {
        constexpr y_state state = differentiable(static_cast<Loss const*>(nullptr));
        static_assert(state != y_state::no_expression, "xgrad::minimize(loss, rule): loss must be an expression");
        static_assert(state != y_state::not_floating, "xgrad::minimize(loss, rule): the loss must be float or double; write cast<float>(loss)");
        if constexpr (state == y_state::good && sizeof...(G) > 0 && !(std::is_same_v<G, refused_group> || ...)) {
            using P = program<expression_list<Loss>, minimize_updates<Loss, G...>, Gate, Fuse>;
            static_assert(P::update_count > 0, "xgrad::minimize(loss, rule): no gradients for any variable: the loss depends on no trainable variable of these groups");
            return trainer<P>(std::tuple(groups.rule...));
        } else return trainer<refused_program>(std::tuple<>());
    }
    template<class T>
    inline constexpr bool is_group = false;
    template<class R, class... V>
    inline constexpr bool is_group<param_group_type<R, V...>> = true;
    template<class T>
    constexpr auto as_group(T const& t) {
        if constexpr (is_group<T> || std::is_same_v<T, refused_group>) return t;
        else {
            static_assert(explain_rule<T>());
            if constexpr (UpdateRule<T>) return param_group_type<T>{t};
            else return refused_group{};
        }
    }
}

/// The trainer that minimises the sum of the elements of `loss`. Rules come alone (`minimize(loss, adam{})`, all trainable variables) or as
/// param_group(rule, variables...). `Gate` says when updates run: none: each as soon as its gradient is there and the old value is read for the
/// last time (if possible inside the loop that makes the gradient, which is then never stored); op: as a step of its own there; graph: all updates
/// after all gradients. The results are the same.
template<gating Gate = gating::none, bool Fuse = true, class Loss, class... Rules>
auto minimize(Loss const& loss, Rules const&... rules) {
    static_assert(sizeof...(Rules) > 0, "xgrad::minimize(loss, rule): give an update rule such as xgrad::adam{.learning_rate = 1e-3}");
    return detail::make_trainer<Gate, Fuse>(loss, detail::as_group(rules)...);
}

namespace detail {
    template<class G>
    inline constexpr bool is_sparse_or_none = std::is_same_v<G, none>;
    template<class V, class I, class D>
    inline constexpr bool is_sparse_or_none<indexed_slices<V, I, D>> = true;
    template<class G>
    constexpr bool is_silent() {   // a gradient that has been refused
        if constexpr (Expr<G>) return value_of<G>.wrong != fault::none;
        else return false;
    }
    template<class G>
    inline constexpr bool silent = is_silent<G>();
}

/// The gradients of a loss, for changing them before apply_gradients: a tuple in the order of the variables.
template<Expr Loss, Expr... V>
constexpr auto compute_gradients(Loss const& loss, V const&... variables) {
    static_assert(sizeof...(V) > 0, "xgrad::compute_gradients(loss, v...): no variables to optimize; name them");
    if constexpr (sizeof...(V) > 0) return gradients(loss, variables...);
}
/// A gradient (an expression, indexed_slices, or none) and its variable.
template<class G, Expr V>
constexpr auto with_variable(G const&, V const&) {
    constexpr bool is_gradient = Expr<G> || detail::is_sparse_or_none<G>;
    constexpr bool fits = [] {
        if constexpr (Expr<G>)
            return value_of<G>.wrong != fault::none || (value_of<G>.dims == value_of<V>.dims && value_of<G>.type == value_of<V>.type);
        else return true;
    }();
    static_assert(detail::is_variable<V>, "xgrad::with_variable(gradient, v): v must be a variable");
    static_assert(is_gradient, "xgrad::with_variable(gradient, v): a gradient is an expression, indexed_slices or none");
    static_assert(fits || !detail::is_variable<V>, "xgrad::with_variable(gradient, v): the gradient must have the shape and element type of the variable");
    if constexpr (detail::is_variable<V> && is_gradient && fits) return gradient_pair<G, V>{};
    else return gradient_pair<detail::refused, V>{};
}
/// A trainer that applies given gradients: `apply_gradients(adam{}, loss, with_variable(g, w)...)`; its calls return `output`.
template<gating Gate = gating::none, class Rule, Expr Output, class... G, class... V>
auto apply_gradients(Rule const& rule, Output const&, gradient_pair<G, V>...) {
    constexpr bool any = (detail::pair_infos<G>::exists || ...);
    static_assert(explain_rule<Rule>());
    static_assert(sizeof...(V) > 0, "xgrad::apply_gradients(rule, output, pairs...): no variables provided; give with_variable(gradient, v) for each variable");
    static_assert(any || sizeof...(V) == 0, "xgrad::apply_gradients(rule, output, pairs...): no gradients provided for any variable: all of them are none");
    if constexpr (UpdateRule<Rule> && any && !(detail::silent<G> || ...)) {
        using P = program<expression_list<Output>, apply_updates<Rule, gradient_pair<G, V>...>, Gate, true>;
        return trainer<P>(std::tuple(rule));
    } else return trainer<refused_program>(std::tuple<>());
}

XGRAD_NAMESPACE_END
