// SPDX-License-Identifier: MIT
// calibrate: minimizes a loss of given data over its variables, by L-BFGS.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/calibration/inverse_hessian.hpp>
#include <xgrad/train/minimize.hpp>

XGRAD_NAMESPACE_BEGIN

/// The result of calibrate(loss, lbfgs{...}): a loss and its variables. A call minimizes the loss and returns a
/// calibration_result.
template<class P>
class calibration : public variable_owner {
    owned<detail::calibration_host> host_;
    lbfgs how_;

    static hyper_complaint refuse(lbfgs const& how) {
        hyper_complaint const wrong = how.check();
        if (!wrong.empty()) raise_parts<value_error>({"xgrad: ", wrong.view()});
        return wrong;
    }
    calibration_result run(detail::arguments<P> const& a, detail::calibration_watch const& watch) {
        refuse(how_);
        return host_->minimize(how_, a.refs, a.given, watch);
    }
    detail::calibration_host* make(dim_size const* sizes, int size_count, bool own) {
        if (own) make_variables(P::runtime.view(), sizes, size_count);
        return new detail::calibration_host(*store_, XGRAD_RUNTIME_OF(P));
    }

public:
    using program_type = P;

    /// Called by calibrate. Throws like a trainer.
    explicit calibration(lbfgs const& how, dim_size const* sizes = nullptr, int size_count = 0, variable_owner* owner = nullptr)
        : variable_owner(owner), host_((refuse(how), make(sizes, size_count, owner == nullptr))), how_(how) {
        host_->make_room(how_.history);
    }

    /// Minimizes the loss of these arrays, starting from the current values of the variables:
    /// `auto r = fit(when = t, measured = x)`.
    ///
    /// * Each call begins without history. Random operations draw the same numbers in all evaluations.
    /// * Throws shape_error, binding_error and value_error (an option, an index). After any exception the variables have the
    ///   values of the last complete iteration.
    /// * After reserve() with the largest sizes a call does not allocate, unless variables or the history have grown.
    template<class... B>
    calibration_result operator()(B const&... bindings) {
        return run(detail::arguments<P>(bindings...), {});
    }
    /// Like a call, with `watcher(now)` after each iteration. The watcher may read the variables. If it returns false, that
    /// iteration is the last one.
    template<class F, class... B>
    calibration_result watched(F&& watcher, B const&... bindings) {
        constexpr bool fits = std::is_invocable_v<F&, calibration_result const&>;
        static_assert(fits,
            "xgrad: fit.watched(watcher, x = array...): the watcher cannot be called with a calibration_result; write [](auto "
            "const& now) { ... }");
        if constexpr (fits) {
            using watcher_type = std::remove_reference_t<F>;
            return run(detail::arguments<P>(bindings...),
                {const_cast<void*>(static_cast<void const*>(&watcher)), [](void* with, calibration_result const& now) {
                     auto& w = *static_cast<watcher_type*>(with);
                     if constexpr (std::is_convertible_v<decltype(w(now)), bool>) return static_cast<bool>(w(now));
                     else return w(now), true;
                 }});
        } else return {};
    }
    /// Keeps every element of a variable between `lower` and `upper` in later calls: `fit.bounds(rate, 0, 1)`.
    ///
    /// * An infinite bound does not bound. Values outside begin at the bound.
    /// * Throws value_error if lower > upper, if one is NaN, or if no finite number is between them.
    /// * Throws binding_error if the calibration does not move the variable.
    template<Expr V>
    void bounds(V const& variable, double lower, double upper) {
        static_assert(detail::is_variable<V>, "xgrad: fit.bounds(v, lower, upper): v is not a variable; give a variable");
        if constexpr (detail::is_variable<V>) {
            stored_variable const& v = of(variable);
            if (!(lower <= upper))
                raise_parts<value_error>(
                    {"xgrad: fit.bounds: the lower bound of the variable \"", v.name, "\" must not be above the upper one, nor NaN"});
            double const largest = v.type == dtype::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
            if (lower > largest || upper < -largest)
                raise_parts<value_error>({"xgrad: fit.bounds: no finite number is between the bounds of the variable \"", v.name,
                    "\"; infinite ones are -inf and inf"});
            if (!host_->moves(v.hash))
                raise_parts<binding_error>({"xgrad: fit.bounds: the calibration does not move the variable \"", v.name, "\""});
            host_->bounds().set(v.hash, lower, upper);
        }
    }
    template<class A, class B, class C>
        requires(!Expr<A>)
    void bounds(A const&, B const&, C const&) {
        static_assert(sizeof(A) == 0,
            "xgrad: fit.bounds(v, lower, upper): the first argument is not a variable; write the variable first, then its bounds");
    }
    /// The covariance of the variables at their current values, which must be a minimum of the loss of these arrays:
    ///
    ///     fit.covariance(when = t, measured = x).standard_errors(rate, scale)
    ///
    /// It is the inverse of the Hessian, which is computed by central differences of gradients. It takes two evaluations for each
    /// element, and memory for a square matrix over all elements. Throws like a call, and value_error if the Hessian is not
    /// positive definite.
    template<class... B>
    calibration_covariance covariance(B const&... bindings) {
        refuse(how_);
        detail::arguments<P> const a(bindings...);
        return host_->covariance(how_, a.refs, a.given);
    }
    /// The options. They may be changed between calls. A call with an invalid option throws value_error and changes nothing.
    lbfgs& options() { return how_; }

    /// Allocates memory for calls with these sizes: `fit.reserve(samples = 256)`.
    template<class... D>
    void reserve(D... sizes) {
        constexpr bool named = (std::is_same_v<D, dim_size> && ...);
        static_assert(named, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
        if constexpr (named) {
            dim_size const list[]{sizes..., {}};
            host_->run.reserve(list, static_cast<int>(sizeof...(D)));
            host_->make_room(how_.history);
        }
    }
    std::size_t arena_bytes() const { return host_->run.arena_bytes(); }
};

namespace detail {
/// A program that computes the loss and the gradients of all its trainable variables. Its updates never run.
template<class Loss>
using calibration_program = program<expression_list<Loss>, minimize_updates<Loss, param_group_type<set_value>>, gating::graph, true>;
template<class P>
consteval bool moves_all_exactly() {
    for (int i = planner::first_update(P::plan); i < P::plan.step_count; ++i)
        if (is_half(P::runtime.view().variables[P::plan.steps[i].variable].type)) return false;
    return true;
}
template<class Loss>
consteval bool can_calibrate() {
    constexpr y_state state = differentiable(static_cast<Loss const*>(nullptr));
    static_assert(state != y_state::no_expression, "xgrad::calibrate(loss, lbfgs{}): loss is not an expression; give an expression");
    static_assert(
        state != y_state::not_floating, "xgrad::calibrate(loss, lbfgs{}): the loss is neither float nor double; write cast<double>(loss)");
    if constexpr (state == y_state::good) {
        constexpr bool scalar = value_of<Loss>.dims.rank == 0;
        static_assert(scalar, "xgrad::calibrate(loss, lbfgs{}): the loss is not one number; write mean(...) or sum(...)");
        if constexpr (scalar) {
            using P = calibration_program<Loss>;
            constexpr bool any = P::update_count > 0, exact = moves_all_exactly<P>();
            static_assert(any,
                "xgrad::calibrate(loss, lbfgs{}): the loss has no gradient for any variable; make it depend on trainable variables, "
                "not only by comparisons, integers or stop_gradient");
            static_assert(exact,
                "xgrad::calibrate(loss, lbfgs{}): a variable has 16 bits, too few for a line search; declare it as float and cast it");
            return any && exact;
        }
    }
    return false;
}
}

/// Minimizes `loss`, one number, over all its trainable variables. Integers and variables that are not trainable keep their
/// values.
///
///     auto fit = xg::calibrate(loss, xg::lbfgs{.history = 10});
///     fit.value(rate)[0] = 0.03;   // where to begin
///     auto r = fit(when = t, measured = x);
///
/// * Each trainable variable must be float or double.
/// * A sparse gradient, of a table that is read by index only, is used as the dense one: rows that do not occur have the gradient
///   0.
/// * After the options come sizes of named dimensions of variables, or an owner whose variables are shared, as in minimize.
/// * Throws value_error if an option is invalid.
template<class Loss, class... Where>
auto calibrate(Loss const&, lbfgs const& how, Where&&... where) {
    constexpr bool known = (detail::says_where<Where> && ...);
    static_assert(known,
        "xgrad::calibrate(loss, lbfgs{}, where...): an argument after the options is neither a size nor an owner; write sizes "
        "of the variables' named dimensions, or an owner of the variables");
    if constexpr (!known || !detail::can_calibrate<Loss>()) return calibration<refused_program<Loss>>(how);
    else {
        using P = detail::calibration_program<Loss>;
        constexpr int given = detail::given_by<Where...>;
        detail::variables_place const at = detail::place_among<std::remove_reference_t<Where>...>(where...);
        if constexpr (given < 0) return calibration<P>(how, nullptr, 0, at.owner);
        else if constexpr (detail::sizes_fit<P, given>()) return calibration<P>(how, at.sizes.at, given);
        else return calibration<refused_program<Loss>>(how);
    }
}
template<class Loss, class... Where>   // calibrate(lbfgs{}, loss), calibrate(loss), calibrate(loss, adam{})
auto calibrate(Loss const&, Where const&...) {
    static_assert(sizeof(Loss) == 0,
        "xgrad::calibrate(loss, lbfgs{}): the arguments are not a loss and xgrad::lbfgs; write the loss first, then "
        "xgrad::lbfgs with its options");
    return calibration<refused_program<Loss>>(lbfgs{});
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
