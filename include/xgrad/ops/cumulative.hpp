// SPDX-License-Identifier: MIT
// Cumulative sums, products, extrema and log-sum-exps along an axis. Gradients are cumulative operations too.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/recurrence.hpp>
#include <xgrad/ops/select.hpp>
#include <xgrad/ops/shape_ops.hpp>

#include <cmath>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// y of each row: the rule's value of the elements so far.
template<class Rule, cumulative How>
struct cumulative_row : row_op {
    static constexpr std::string_view name = Rule::name;
    static constexpr int flops = Rule::flops;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> x, std::span<T> y) {
        auto so_far = Rule::template start<T>();
        std::size_t const n = x.size();
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t const j = visited<How>(k, n);
            if constexpr (excludes(How)) y[j] = Rule::template value<T>(so_far);
            Rule::add(so_far, x[j]);
            if constexpr (!excludes(How)) y[j] = Rule::template value<T>(so_far);
        }
    }
    static constexpr void derive(derivation& d) { d.out[0] = Rule::template slope<How>(d.operands[0], d.result, d.gradient); }
};
/// The same along the middle axis of three. Adjacent columns run together.
template<class Rule, cumulative How>
struct cumulative_columns : kernel_op {
    static constexpr std::string_view name = Rule::name;
    static constexpr int flops = Rule::flops;
    static constexpr std::int64_t most = 1024;   // columns
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        return v[0].dims.rank == 3 ? v[0] : value_info{v[0].type, {}, fault::rank};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(0).extents[0] * v.dims(0).extents[2]; }
    template<class T>
    static void together(T const* x, T* y, std::size_t n, std::int64_t between, std::int64_t columns) {
        decltype(Rule::template start<T>()) so_far[most];
        for (std::int64_t c = 0; c < columns; ++c) so_far[c] = Rule::template start<T>();
        for (std::size_t k = 0; k < n; ++k) {
            std::int64_t const at = static_cast<std::int64_t>(visited<How>(k, n)) * between;
            T const* const from = x + at;
            T* const to = y + at;
            for (std::int64_t c = 0; c < columns; ++c) {
                if constexpr (excludes(How)) to[c] = Rule::template value<T>(so_far[c]);
                Rule::add(so_far[c], from[c]);
                if constexpr (!excludes(How)) to[c] = Rule::template value<T>(so_far[c]);
            }
        }
    }
    template<class T>
    static void run(kernel_part const& part, tensor_view<T const, 3> x, tensor_view<T, 3> y) {
        std::int64_t const n = x.shape(1), inner = x.shape(2);
        if (n == 0) return;
        for (std::int64_t t = part.first, columns = 0; t < part.last; t += columns) {
            std::int64_t const outer = t / inner, first = t % inner, rest = part.last - t;
            columns = inner - first < most ? inner - first : most;
            if (columns > rest) columns = rest;
            std::int64_t const at = outer * n * inner + first;
            together(x.data() + at, y.data() + at, static_cast<std::size_t>(n), inner, columns);
        }
    }
    static constexpr void derive(derivation& d) {
        if constexpr (Rule::linear) d.out[0] = apply<cumulative_columns<Rule, turned(How)>>(d.gradient);
        else {
            auto const rows = [](symbol s) { return axis_to_end(s, 1); };
            d.out[0] = axis_from_end(Rule::template slope<How>(rows(d.operands[0]), rows(d.result), rows(d.gradient)), 1);
        }
    }
};
/// Along the axis in the attributes.
template<class Rule, cumulative How>
struct cumulative_along : composite_op {
    using attributes = axis_attributes;
    static constexpr std::string_view name = Rule::name;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        int const axis = named_axis(a, v[0].dims.rank);
        if (axis < 0 || axis >= v[0].dims.rank) return {v[0].type, {}, fault::axis};
        if (v[0].type == dtype::boolean) return {v[0].type, {}, fault::dtypes};
        if (Rule::floating && !is_floating(v[0].type)) return {v[0].type, {}, fault::not_floating};
        return v[0];
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        shape const s = t.info(x[0]).dims;
        extent outer = static_extent(1), inner = static_extent(1);
        int const axis = named_axis(a, s.rank);
        for (int i = 0; i < s.rank; ++i)
            if (i != axis) (i < axis ? outer : inner) = (i < axis ? outer : inner) * s.extents[i];
        if (axis == s.rank - 1) return apply<cumulative_row<Rule, How>>(x[0]);
        if (is_one(inner)) return reshape_to(apply<cumulative_row<Rule, How>>(reshape_to(x[0], {2, {outer, s.extents[axis]}})), s);
        return reshape_to(apply<cumulative_columns<Rule, How>>(reshape_to(x[0], {3, {outer, s.extents[axis], inner}})), s);
    }
};

struct cumulative_sum {
    static constexpr std::string_view name = "cumsum";
    static constexpr int flops = 1;
    static constexpr bool linear = true, floating = false;
    template<class T>
    static wide<T> start() {
        return 0;
    }
    template<class S, class T>
    static void add(S& sum, T x) {
        if constexpr (std::is_integral_v<T>) sum = math::add(sum, x);
        else sum += static_cast<S>(x);
    }
    template<class T, class S>
    static T value(S sum) {
        return static_cast<T>(sum);
    }
    template<cumulative How>
    static constexpr symbol slope(symbol, symbol, symbol g) {
        return apply<cumulative_row<cumulative_sum, turned(How)>>(g);
    }
};
struct cumulative_product {
    static constexpr std::string_view name = "cumprod";
    static constexpr int flops = 1;
    static constexpr bool linear = false, floating = false;
    template<class T>
    static wide<T> start() {
        return 1;
    }
    template<class S, class T>
    static void add(S& product, T x) {
        if constexpr (std::is_integral_v<T>) product = math::multiply(product, x);
        else product *= static_cast<S>(x);
    }
    template<class T, class S>
    static T value(S product) {
        return static_cast<T>(product);
    }
    // The product of the elements before, times the sum over later results of g and the product between. Nothing is divided.
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol, symbol g) {
        constexpr bool reverse = from_end(How);
        symbol const before = apply<cumulative_row<cumulative_product, including(How) | cumulative::exclusive>>(x);
        symbol const own = excludes(How) ? apply<previous_in_row<!reverse>>(g) : g;
        return before * apply<recurrence<true, !reverse>>(x, own);
    }
};
/// The place of the extremum so far, −1 before there is one.
template<class Rule, cumulative How>
struct cumulative_place : row_op {
    static constexpr std::string_view name = "place_so_far";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return {dtype::int32, v[0].dims, fault::none}; }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t> places) {
        T best{};
        std::int32_t place = -1;
        std::size_t const n = x.size();
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t const j = visited<How>(k, n);
            if constexpr (excludes(How)) places[j] = place;
            if (place < 0 || Rule::replaces(best, x[j])) {
                best = x[j];
                place = static_cast<std::int32_t>(j);
            }
            if constexpr (!excludes(How)) places[j] = place;
        }
    }
    static constexpr void derive(derivation&) {}
};
/// NaN is an extremum, and remains it.
template<bool Largest>
struct cumulative_extremum {
    static constexpr std::string_view name = Largest ? "cummax" : "cummin";
    static constexpr int flops = 1;
    static constexpr bool linear = false, floating = false;
    template<class T>
    static T start() {
        if constexpr (std::is_integral_v<T>) return Largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
        else return Largest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    }
    template<class T>
    static bool replaces(T best, T x) {
        return (Largest ? x > best : x < best) || (x != x && best == best);
    }
    template<class T>
    static void add(T& best, T x) {
        bool const stays = (Largest ? best >= x : best <= x) || best != best;   // no branch
        best = stays ? best : x;
    }
    template<class T>
    static T value(T best) {
        return best;
    }
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol, symbol g) {
        return apply<sum_at_places>(g, apply<cumulative_place<cumulative_extremum, How>>(x));
    }
};
/// The largest element so far, and the sum of e^(x − largest).
struct cumulative_log_sum_exp {
    static constexpr std::string_view name = "cumulative_logsumexp";
    static constexpr int flops = 20;
    static constexpr bool linear = false, floating = true;
    struct state {
        double largest, sum;
    };
    template<class T>
    static state start() {
        return {-std::numeric_limits<double>::infinity(), 0};
    }
    template<class T>
    static void add(state& s, T element) {
        double const x = static_cast<double>(element);
        if (x > s.largest) s = {x, s.sum * std::exp(s.largest - x) + 1};
        else s.sum += x == s.largest ? 1 : std::exp(x - s.largest);   // infinite elements may be equal
    }
    template<class T>
    static T value(state const& s) {
        return static_cast<T>(s.largest + std::log(s.sum));
    }
    // With y inclusive: the sum over later k of g e^(x − yₖ) is e^(x − y) h, where h = g + e^(y − y″) h″ and ″ is the next element.
    // No exponent is positive. In double, because the exponents are small differences.
    template<cumulative How>
    static constexpr symbol slope(symbol x, symbol result, symbol g) {
        constexpr bool reverse = from_end(How);
        dtype const type = x.table->info(x).type;
        symbol const inside = excludes(How) ? apply<cumulative_row<cumulative_log_sum_exp, including(How)>>(x) : result;
        symbol const own = apply<cast<double>>(excludes(How) ? apply<previous_in_row<!reverse>>(g) : g);
        symbol const y = apply<cast<double>>(inside), lowest = x.table->constant(-std::numeric_limits<double>::infinity(), dtype::float64);
        symbol const safe = xgrad::select(xgrad::equal(y, lowest), 0_c, y);   // −∞ − −∞ is NaN
        symbol const ratio = xgrad::exp(apply<previous_in_row<reverse, true>>(y) - safe);
        symbol const slope = xgrad::exp(apply<cast<double>>(x) - safe) * apply<recurrence<true, !reverse>>(ratio, own);
        return type == dtype::float32 ? apply<cast<float>>(slope) : slope;
    }
};
}

namespace detail {
template<class Rule, int Axis, cumulative How, class A>
constexpr auto accumulated(A const& x) {
    if constexpr (!Expr<A>) return refuse_operand<A>();
    else {
        using O = with<op::cumulative_along<Rule, How>, axis_attributes{Axis}>;
        constexpr fault f = fault_of<O, A>();
        static_assert(f != fault::axis,
            "xgrad::cumsum<axis>(x), cumprod, cummax, cummin, cumulative_logsumexp: axis is outside of -rank ... rank-1; write an axis of x");
        static_assert(
            f != fault::dtypes, "xgrad::cumsum<axis>(x), cumprod, cummax, cummin: x is bool; write cast<std::int32_t>(x) or cast<float>(x)");
        static_assert(
            f != fault::not_floating, "xgrad::cumulative_logsumexp<axis>(x): x is neither float nor double; write cast<float>(x) first");
        if constexpr (f != fault::none) return refused{};
        else return apply<O>(x);
    }
}
template<class A, int Function>
constexpr refused refuse_cumulative_axis() {
    static_assert(sizeof(A) == 0,
        "xgrad::cumsum<axis>(x), cumprod, cummax, cummin, cumulative_logsumexp: the axis is an argument; write it in angle brackets: "
        "cumsum<1>(x)");
    return {};
}
}

/// The sums of the elements up to each one along an axis: y[k] = x[0] + ... + x[k]. `cumsum<1, cumulative::exclusive>(x)`
/// omits x[k], and begins with 0. `cumsum<1, cumulative::reverse>(x)` sums from the end (TensorFlow's cumsum). Sums of
/// floats are in double, and each is rounded once. Integers wrap around.
/// Gradient: the cumsum of g from the other end.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumsum(A const& x) {
    return detail::accumulated<op::cumulative_sum, Axis, How>(x);
}
/// The products of the elements up to each one along an axis, with the forms of cumsum; an exclusive one begins with 1.
/// Products of floats are in double, and each is rounded once. Integers wrap around.
/// Gradient: of an element, the sum over the later results of g times the product of the other elements. Nothing is
/// divided, so it is right at zeros too, where TensorFlow's is NaN.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumprod(A const& x) {
    return detail::accumulated<op::cumulative_product, Axis, How>(x);
}
/// The largest of the elements up to each one along an axis, with the forms of cumsum. An exclusive one begins with -inf,
/// or the lowest integer. From a NaN on all are NaN (NumPy's maximum.accumulate).
/// Gradient: of an element, the sum of g over the results that it is; of equal elements, over those of the first.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummax(A const& x) {
    return detail::accumulated<op::cumulative_extremum<true>, Axis, How>(x);
}
/// The smallest of the elements up to each one along an axis, as cummax. An exclusive one begins with inf, or the largest
/// integer.
/// Gradient: as of cummax.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cummin(A const& x) {
    return detail::accumulated<op::cumulative_extremum<false>, Axis, How>(x);
}
/// log Σ eˣ over the elements up to each one along an axis, with the forms of cumsum, without overflow. It is -inf as long
/// as all elements are -inf, and begins with -inf if it is exclusive (TensorFlow has the lowest number there).
///
/// Gradient: the sum over the later results y of g e^(x − y); 0 for elements of -inf. It is NaN in a row with inf.
template<int Axis = 0, cumulative How = cumulative::inclusive, class A>
constexpr auto cumulative_logsumexp(A const& x) {
    return detail::accumulated<op::cumulative_log_sum_exp, Axis, How>(x);
}

// NumPy's cumsum(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumsum(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumprod(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 1>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cummax(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 2>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cummin(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 3>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto cumulative_logsumexp(A const&, N const&...) {
    return detail::refuse_cumulative_axis<A, 4>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
