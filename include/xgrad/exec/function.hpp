// SPDX-License-Identifier: MIT
// function: expressions compiled for calls. It borrows its variables from a trainer or another owner.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>   // first, as in xgrad.hpp: a short include chain keeps error sentences near the top

#include <xgrad/core/arrays/owned.hpp>
#include <xgrad/exec/call.hpp>
#include <xgrad/exec/into.hpp>
#include <xgrad/exec/variables.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The position of the first gradient that is none, counted from 1; 0 if all are expressions.
template<class... E>
constexpr int place_of_none() {
    int place = 0, at = 0;
    ((++at, place = place == 0 && NoGradient<E> ? at : place), ...);
    return place;
}
template<int Place>
constexpr bool is_no_output() {
    static_assert(Place != 1,
        "xgrad::outputs(a, b...): the first is xgrad::none, the gradient of a y that does not depend on this x; remove it, or "
        "write gradients(y, unconnected_zeros, x...) for zeros");
    static_assert(Place != 2,
        "xgrad::outputs(a, b...): the second is xgrad::none, the gradient of a y that does not depend on this x; remove it, or "
        "write gradients(y, unconnected_zeros, x...) for zeros");
    static_assert(Place != 3,
        "xgrad::outputs(a, b...): the third is xgrad::none, the gradient of a y that does not depend on this x; remove it, or "
        "write gradients(y, unconnected_zeros, x...) for zeros");
    static_assert(Place < 4,
        "xgrad::outputs(a, b...): an output is xgrad::none, the gradient of a y that does not depend on its x: is_no_output<4> "
        "means the fourth; write gradients(y, unconnected_zeros, x...)");
    return Place > 0;
}
template<class... E>
constexpr auto refuse_outputs() {   // auto: the sentence comes before errors that follow from it
    if constexpr (sizeof...(E) > 1 && place_of_none<E...>() > 0) is_no_output<place_of_none<E...>()>();
    else if constexpr ((requires { E::is_slices; } || ...))
        static_assert(sizeof...(E) == 0,
            "xgrad::function{y, owner}: y is the gradient of a table, its rows as indexed_slices; write y.dense, or "
            "outputs(y.values, y.indices)");
    else
        static_assert(sizeof...(E) == 0,
            "xgrad::function{y, owner}: y is not an expression; write several as outputs(a, b), take a tuple such as that of sort or "
            "compute_gradients apart first, std::get<0>(t), and remove xgrad::none");
    return expression_list<refused>{};
}
template<class A>
constexpr auto refuse_list() {
    static_assert(never<A>, "xgrad::function{y, owner}: there are more than two arguments; write several expressions as one list: "
                            "function{outputs(a, b), owner}");
    return expression_list<refused>{};
}
}

/// Several expressions as the outputs of one function: `function{outputs(a, b), train}`.
template<Expr... E>
constexpr expression_list<E...> outputs(E const&...) {
    return {};
}
template<class... A>
    requires(!(Expr<A> && ...))
constexpr auto outputs(A const&...) {
    return detail::refuse_outputs<A...>();
}

namespace detail {
template<class F>
inline constexpr bool is_function = false;
template<class E>
constexpr auto outputs_of() {
    if constexpr (Expr<E>) return expression_list<E>{};
    // clang evaluates this before the constraint of the deduction guide
    else if constexpr (is_function<E>) return expression_list<refused>{};
    else if constexpr (requires { E::infos; }) return E{};
    else return refuse_outputs<E>();
}
}

namespace detail {
/// The outputs for the type argument of function<...>: an expression or a list of expressions, const or not.
template<class T>
struct named_outputs {
    using type = T;
};
template<Expr T>
struct named_outputs<T> {
    using type = expression_list<T>;
};
template<class... E>
struct named_outputs<expression_list<E...>> {
    using type = expression_list<std::remove_const_t<E>...>;
};
template<class T>
using list_of_outputs = typename named_outputs<std::remove_cvref_t<T>>::type;
}

/// A compiled expression. Each call computes its results, and overwrites those of the call before.
/// Example: `xg::function f{logits, train}; auto scores = f(x = images);`
///
/// * Variables: each call reads the current values of `train` (a trainer or xg::variables). They stay alive if `train`
///   ends first. If another object is assigned to `train`, the next call throws binding_error.
/// * Results: views of the function's arena, valid until the next call. Copy what is to stay, or see into(). Results of
///   rank 0 are numbers.
/// * Type, for example of a member: `xg::function<decltype(logits)>`.
/// * Random numbers: a call draws with the seed and the step of its owner, and moves neither. So each call repeats the numbers of the
///   call before, also of a function without an owner. For other numbers in each call, write `++vars.store().steps` before it, with
///   `xg::variables vars{y}` and `xg::function f{y, vars}`. A step of a trainer also gives other numbers.
/// * Memory: a call allocates only if a named dimension is larger than in all earlier calls and in reserve().
/// * Errors: throws shape_error, binding_error or value_error (an index out of range) before anything runs.
template<class Outputs, class Options = program<detail::list_of_outputs<Outputs>>>
class [[nodiscard("function{y, owner} computes nothing before it is called; give it a name and call it: f(x = a)")]] function {
    static_assert(
        requires { detail::list_of_outputs<Outputs>::infos; },
        "xgrad::function<T>: T is not the type of an expression or of outputs(a, b); write function<decltype(logits)>");
    using P = Options;
    template<class, class>
    friend class function;
    template<class E>
    static constexpr bool is_of() {
        using given = decltype(detail::outputs_of<E>());
        constexpr bool same = std::is_same_v<given, detail::list_of_outputs<Outputs>> || detail::was_refused<E>;
        static_assert(same,
            "xgrad::function<decltype(y)>: the expression is not the one that the type names; write function<decltype(y)> f{y, "
            "train}");
        return true;
    }
    owned<runner> run_;
    shared_store store_{nullptr};   // of the owner

    template<class F>
    friend class function_into;
    // `out` has arrays for the results that are not numbers.
    status start(detail::arguments<P> const& a, bool grow, array_ref const* out = nullptr) {
        runner::sole_call const alone(*run_);
        if (!alone) return {status_code::in_use, {}};
        status const s = run_->bind(a.refs, a.given, grow, out);
        if (!s) return s;
        // Random streams follow the seed and step of the owner.
        if (store_) {
            run_->random.seed = store_->seed;
            run_->random.step = static_cast<std::uint64_t>(store_->steps);
        }
        xgrad::flush_denormals const guard(run_->flush);
        if (!run_->run_all()) return run_->failure();
        if (out != nullptr) run_->copy_results();
        return {};
    }

public:
    using program_type = P;
    template<class E>
        requires(!detail::is_function<E>)
    [[nodiscard("function{y, owner} computes nothing before it is called; give it a name and call it: f(x = a)")]] explicit function(
        E const&)
        : run_(new runner(XGRAD_RUNTIME_OF(P))) {
        static_assert(is_of<E>());
        static_assert(P::plan.variable_count == 0,
            "xgrad::function{expression}: the expression has variables, but no owner is given; write function{expression, train}, or "
            "without a trainer xgrad::variables vars{expression} and function{expression, vars}");
        variable_store const empty;
        run_->borrow(empty);
    }
    template<class E, class Owner>
    [[nodiscard("function{y, owner} computes nothing before it is called; give it a name and call it: f(x = a)")]] function(
        E const&, Owner&& owner)
        : run_(new runner(XGRAD_RUNTIME_OF(P))) {
        static_assert(is_of<E>());
        constexpr bool owns = requires { owner.store(); };
        static_assert(owns,
            "xgrad::function{expression, owner}: owner is neither a trainer nor xgrad::variables; give one of these, and write "
            "several expressions as function{outputs(a, b), owner}");
        if constexpr (owns) {
            store_ = shared_store(&owner.store());
            run_->borrow(*store_);
        }
    }
    template<class A, class B, class C, class... D>
    function(A const&, B const&, C const&, D const&...) : function(detail::refused{}) {
        // Without a named type, the deduction guide has refused them.
        if constexpr (!std::is_same_v<detail::list_of_outputs<Outputs>, expression_list<detail::refused>>)
            static_cast<void>(detail::refuse_list<A>());
    }
    function() = delete;                  // the expression is missing; as a member write function<decltype(y)> f{y, train}, below its owner
    function(function const&) = delete;   // a function is copied; write auto g = std::move(f), or function{y, owner} for another one
    function(function&&) = default;
    /// Conversion from a function of the same outputs that is named by their list:
    /// `function<decltype(logits)> f = function{logits, train};`
    template<class Other>
    function(function<Other, Options>&& o) : run_(std::move(o.run_)), store_(std::move(o.store_)) {}
    function& operator=(function&&) = default;
    operator double() const = delete;   // a function is used as a number; write a call, f(x = array)

    template<class... B>
    auto operator()(B const&... bindings) & {
        detail::arguments<P> const a(bindings...);
        if (status const s = start(a, true); !s) run_->fail(s);
        return detail::results<P>(*run_);
    }
    /// On a temporary function, `function{logits, train}(x = images)`, the results own their memory.
    template<class... B>
    auto operator()(B const&... bindings) && {
        if constexpr (std::is_void_v<decltype((*this)(bindings...))>) (*this)(bindings...);
        else return detail::own((*this)(bindings...));
    }
    template<class... B>
    auto operator()(B const&...) const& {
        static_assert(detail::never<P>,
            "xgrad: a constant function is called, but a call writes its results into the function; remove const, or declare the "
            "member mutable");
        return 0.0f;
    }
    template<class R = void>
    auto operator()(detail::in_braces) & {
        return detail::refuse_braces<R>();
    }
    /// The form for real-time threads: no exception, no allocation. Call reserve first. Read the result with result().
    template<class... B>
    [[nodiscard]] status try_call(B const&... bindings) noexcept {
        detail::check_names_known<B...>();
        detail::arguments<P> const a(bindings...);
        return start(a, false);
    }
    /// The results of the last successful call. Throws binding_error if there was no such call.
    auto result() {
        run_->require_call();
        return detail::results<P>(*run_);
    }

    /// Writes results to arrays of the caller instead of returning views: `f.into(scores)(x = images)`. There is one
    /// array for each result that is not a number. Nothing is copied, with two exceptions: a result that is a part or a
    /// view of another result, and a result that occurs twice. See function_into.
    template<class... A>
    auto into(A&&... arrays) & {
        return detail::into<P>(*this, std::forward<A>(arrays)...);
    }
    template<class... A>
    auto into(A&&... arrays) && {
        return detail::into<P>(std::move(*this), std::forward<A>(arrays)...);
    }
    template<class... A>
    auto into(A&&...) const& {
        static_assert(detail::never<P>,
            "xgrad: f.into(...) is called on a constant function, but a call writes into the function; remove const, or declare "
            "the member mutable");
        return detail::refused_into<P>{};
    }

    /// Reserves memory for calls with these sizes: `f.reserve(batch = 256)`.
    template<class... D>
    void reserve(D... sizes) {
        constexpr bool named = (std::is_same_v<D, dim_size> && ...);
        static_assert(named, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
        if constexpr (named) {
            dim_size const list[]{sizes..., {}};
            run_->reserve(list, static_cast<int>(sizeof...(D)));
        }
    }
    std::size_t arena_bytes() const { return run_->arena_bytes(); }
    /// Whether denormal numbers count as zero during a call, as in training. The default is off. The setting of the
    /// thread is restored after each call.
    void flush_denormals(bool on) { run_->flush = on; }
};
namespace detail {
template<class Outputs, class Options>
inline constexpr bool is_function<function<Outputs, Options>> = true;
}
template<class Outputs, class Options>
function(function<Outputs, Options>&&) -> function<Outputs, Options>;
template<class E>
    requires(!detail::is_function<E>)
function(E const&) -> function<decltype(detail::outputs_of<E>())>;
template<class E, class Owner>
function(E const&, Owner&&) -> function<decltype(detail::outputs_of<E>())>;
template<class A, class B, class C, class... D>
function(A const&, B const&, C const&, D const&...) -> function<decltype(detail::refuse_list<A>())>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
