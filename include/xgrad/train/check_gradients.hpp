// SPDX-License-Identifier: MIT
// check_gradients: compares the gradients of a loss with central finite differences. For tests of new operations and models.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/grad/gradients.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// The variables and inputs of a check, of float or double: `wrt(w, x)`.
template<class... X>
struct wrt_list {};
template<Expr... X>
constexpr wrt_list<X...> wrt(X const&...) {
    static_assert(sizeof...(X) > 0, "xgrad::wrt(x...): there is no x; name at least one variable or input");
    static_assert(((X::info.op->kind == op_kind::variable || X::info.op->kind == op_kind::input) && ...),
        "xgrad::wrt(x...): an x is neither a variable nor an input, so it cannot be moved; give variables and inputs only");
    static_assert((is_floating(X::info.value.type) && ...),
        "xgrad::wrt(x...): an x is neither float nor double: it has no gradient, or too few bits for differences; take a float "
        "variable and cast it");
    return {};
}

/// The step and the tolerance of check_gradients. 0 means the default. The defaults depend on ε, the distance from 1 to the next
/// number in the coarser of the element types of x and loss.
struct gradient_check {
    /// x is moved by ±step · max(1, |x|). Default: the cube root of ε (5e-3 for float, 6e-6 for double). There the error of the
    /// central difference is least: O(step²) from the third derivative plus O(ε / step) from rounding.
    double step = 0;
    /// The largest difference that passes, in units of max(1, |gradient|, Σ|elements of the loss|). Default: 300 ε^(2/3) (7e-3
    /// for float, 1e-8 for double).
    double tolerance = 0;
};

/// The result of check_gradients. `ok` is false if any element of any gradient is wrong. The report converts to bool.
struct [[nodiscard(
    "check_gradients(...) returns a report and throws nothing where a gradient is wrong; look at it: if (!report.ok)")]] gradient_report {
    bool ok = true;
    std::int64_t checked = 0;    // number of elements
    double worst = 0;            // largest difference divided by the allowed one; above 1 is wrong
    double max_absolute = 0;     // largest |analytic - numeric|
    double max_relative = 0;     // largest |analytic - numeric| / max(|analytic|, |numeric|); gradients within rounding errors do not count
    std::string_view name{};     // the x with the worst element
    std::int64_t element = -1;   // the worst element, by its row-major index
    double analytic = 0, numeric = 0;   // the gradients of that element
    std::string message{};              // one sentence for a log or a test
    explicit operator bool() const { return ok; }
};

namespace detail {
template<class G>
constexpr auto dense_of(G const& g) {
    if constexpr (std::is_same_v<G, none>) return none{};
    else if constexpr (Expr<G>) return g;
    else return g.dense;
}
template<class G>
constexpr auto as_list() {
    if constexpr (std::is_same_v<G, none>) return std::tuple<>{};
    else return std::tuple<G>{};
}
template<class Loss, class... G>
constexpr auto list_of(std::tuple<G...>) {
    return expression_list<Loss, G...>{};
}

template<class Loss, class... X>
class gradient_checker {
    using P = program<expression_list<Loss>>;
    template<class Xk>
    static constexpr bool is_used() {
        for (int i = 0; i < P::plan.input_count + P::plan.variable_count; ++i) {
            int const r = i < P::plan.input_count ? P::plan.inputs[i] : P::plan.variables[i - P::plan.input_count];
            if (P::table.attrs[P::table.nodes[r].attrs].name_hash == Xk::info.attrs.name_hash) return true;
        }
        return false;
    }
    template<class Xk>
    static constexpr auto dense_gradient() {
        if constexpr (is_used<Xk>()) return dense_of(gradient_of(Loss{}, Xk{}));
        else return none{};
    }
    template<std::size_t K>
    using dense = decltype(dense_gradient<std::tuple_element_t<K, std::tuple<X...>>>());
    template<std::size_t... K>
    static constexpr auto outputs_for(std::index_sequence<K...>) {
        return list_of<Loss>(std::tuple_cat(as_list<dense<K>>()...));
    }
    using D = program<decltype(outputs_for(
        std::index_sequence_for<X...>{}))>;   // contains the loss too, so that both programs have the same inputs

    runner loss_{XGRAD_RUNTIME_OF(P)}, derivative_{XGRAD_RUNTIME_OF(D)};
    arguments<P> in_;
    gradient_check const options_;
    gradient_report report_{};
    double magnitude_ = 0;   // Σ|elements of the loss|
    static constexpr double loss_epsilon =
        value_of<Loss>.type == dtype::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();

    template<class Q>
    static void run(runner& r, arguments<Q> const& a) {
        if (status const s = r.bind(a.refs, a.given, true); !s) r.fail(s);
        if (!r.run_all()) raise<value_error>("xgrad::check_gradients: an index computed in the expression is out of range");
    }
    double loss() {
        run<P>(loss_, in_);
        using T = cpp_type_t<value_of<Loss>.type>;
        std::int64_t n = 1;
        for (int d = 0; d < value_of<Loss>.dims.rank; ++d) n *= loss_.output_extent(0, d);
        auto const* p = static_cast<T const*>(loss_.output(0));
        double sum = 0;
        magnitude_ = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            sum += static_cast<double>(p[i]);
            magnitude_ += std::abs(static_cast<double>(p[i]));
        }
        return sum;
    }
    template<class T>
    void check_one(std::string_view name, T* x, std::int64_t n, T const* analytic) {
        double const epsilon = std::max(loss_epsilon, static_cast<double>(std::numeric_limits<T>::epsilon()));
        double const step = options_.step > 0 ? options_.step : std::cbrt(epsilon);
        double const tolerance = options_.tolerance > 0 ? options_.tolerance : 300 * std::pow(epsilon, 2.0 / 3.0);
        for (std::int64_t i = 0; i < n; ++i) {
            T const here = x[i];
            struct put_back {   // also if an evaluation throws
                T& at;
                T value;
                ~put_back() { at = value; }
            } const guard{x[i], here};
            double const h = step * std::max(1.0, std::abs(static_cast<double>(here)));
            x[i] = static_cast<T>(static_cast<double>(here) + h);
            double const above = static_cast<double>(x[i]), up = loss();
            x[i] = static_cast<T>(static_cast<double>(here) - h);
            double const below = static_cast<double>(x[i]), down = loss();
            double const a = analytic == nullptr ? 0 : static_cast<double>(analytic[i]), b = (up - down) / (above - below);
            double const scale = std::max({1.0, std::abs(a), std::abs(b), magnitude_}), difference = std::abs(a - b);
            double const off = difference / (tolerance * scale);
            ++report_.checked;
            if (difference > report_.max_absolute) report_.max_absolute = difference;
            if (double const larger = std::max(std::abs(a), std::abs(b));
                difference > 0 && larger > epsilon / step * scale && difference / larger > report_.max_relative)
                report_.max_relative = difference / larger;
            if (off <= report_.worst && report_.element >= 0) continue;   // written so that NaN is the worst
            if (std::isnan(report_.worst)) continue;
            report_.worst = off;
            report_.name = name;
            report_.element = i;
            report_.analytic = a;
            report_.numeric = b;
        }
    }
    // Moves the elements of a copy of an input, or of the variable in place, which is restored.
    template<class Xk, std::size_t K>
    void check(variable_store const& store) {
        using T = typename Xk::element;
        T const* analytic = nullptr;
        if constexpr (!std::is_same_v<dense<K>, none>) analytic = static_cast<T const*>(derivative_.output(output_index<K>()));
        if constexpr (!is_used<Xk>()) return;
        else if constexpr (Xk::info.op->kind == op_kind::variable) {
            auto const* v = store.find(Xk::info.attrs.name_hash);
            check_one(v->name, static_cast<T*>(v->data), v->size, analytic);
        } else {
            constexpr int at = P::input_index(Xk::info.attrs.name_hash);
            array_ref const original = in_.refs[at];
            std::int64_t n = 1;
            for (int d = 0; d < original.rank; ++d) n *= original.extents[d];
            std::vector<T> copy(static_cast<T const*>(original.data), static_cast<T const*>(original.data) + n);
            in_.refs[at].data = copy.data();
            check_one(Xk::info.attrs.name, copy.data(), n, analytic);
            in_.refs[at] = original;
        }
    }
    template<std::size_t K>
    static constexpr int output_index() {
        return []<std::size_t... J>(std::index_sequence<J...>) {
            int n = 1;
            ((n += std::is_same_v<dense<J>, none> ? 0 : 1), ...);
            return n;
        }(std::make_index_sequence<K>{});
    }

public:
    template<class... B>
    gradient_checker(variable_store const& store, gradient_check const& options, B const&... bindings)
        : in_(bindings...), options_(options) {
        for (runner* r : {&loss_, &derivative_}) {
            r->borrow(store);
            r->random.seed = store.seed;
            r->random.step = static_cast<std::uint64_t>(store.steps);
        }
        run<D>(derivative_, arguments<D>(bindings...));
        loss();   // throws for wrong arrays before any is copied
        [&]<std::size_t... K>(std::index_sequence<K...>) { (check<X, K>(store), ...); }(std::index_sequence_for<X...>{});
    }
    gradient_report report() {
        report_.ok = report_.worst <= 1;   // false if the worst is NaN
        report_.message = "xgrad::check_gradients: " + std::to_string(report_.checked) + " elements, the worst is element " +
                          std::to_string(report_.element) + " of \"" + std::string(report_.name) + "\": analytic " +
                          std::to_string(report_.analytic) + ", numeric " + std::to_string(report_.numeric) + ", " +
                          std::to_string(report_.worst) + " of what is allowed";
        return report_;
    }
};
}

/// An owner of variables: a trainer, or xg::variables.
template<class T>
concept StoreOwner = requires(T& t) { t.store().seed; };

/// Compares the gradients of the sum of all elements of `loss` with central finite differences, element by element:
///
///     auto r = xg::check_gradients(loss, xg::wrt(w, x), train, x = images, y = labels);
///     if (!r) log(r.message);
///
/// * `owner` has the variables: a trainer or xg::variables. Expressions without variables need no owner.
/// * A gradient_check before the owner sets step and tolerance.
/// * Inputs are moved in a copy. Variables are moved in place and restored; no other thread may use them meanwhile.
/// * Random operations draw the same numbers in all evaluations.
/// * The loss is evaluated twice for each element of each x.
/// * If the loss has a gradient of `none` (stop_gradient), 0 is compared. An x that does not occur in the loss is ignored.
/// * Near a kink (relu at 0, ties of max) finite differences mean nothing. Choose x away from kinks.
///
/// Throws what a call of function{loss, owner} throws.
template<Expr Loss, class... X, StoreOwner Owner, class... B>
gradient_report check_gradients(Loss const&, wrt_list<X...>, gradient_check const& options, Owner& owner, B const&... bindings) {
    return detail::gradient_checker<Loss, X...>(owner.store(), options, bindings...).report();
}
template<Expr Loss, class... X, StoreOwner Owner, class... B>
gradient_report check_gradients(Loss const& loss, wrt_list<X...> x, Owner& owner, B const&... bindings) {
    return check_gradients(loss, x, gradient_check{}, owner, bindings...);
}
template<Expr Loss, class... X, class... I, class... A>
gradient_report check_gradients(Loss const&, wrt_list<X...>, gradient_check const& options, binding<I, A> const&... bindings) {
    return detail::gradient_checker<Loss, X...>(variable_store{}, options, bindings...).report();
}
template<Expr Loss, class... X, class... I, class... A>
gradient_report check_gradients(Loss const& loss, wrt_list<X...> x, binding<I, A> const&... bindings) {
    return check_gradients(loss, x, gradient_check{}, bindings...);
}
template<class Loss, class... A>   // check_gradients(loss, train, x = images)
gradient_report check_gradients(Loss const&, A const&...) {
    static_assert(detail::never<Loss>,
        "xgrad::check_gradients(loss, wrt(w, b), owner, x = array): an argument is missing or in another place; write the "
        "loss, wrt(...) of variables and inputs, their owner, then the arrays");
    return {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
