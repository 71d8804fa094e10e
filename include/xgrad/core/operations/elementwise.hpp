// SPDX-License-Identifier: MIT
// The protocol of element-wise and composite operations: how a user adds one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/own_op.hpp>
#include <xgrad/core/shape_names.hpp>

#include <cstdlib>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// The element types that an element-wise operation accepts.
enum class operand_types : unsigned char { numeric, floating, any, boolean };

/// Base of element-wise operations. A complete user-defined operation:
///
///     struct softsign_op : xgrad::elementwise_op {
///         static constexpr std::string_view name = "softsign";
///         static constexpr int flops = 3;
///         static auto value(auto x) { using V = decltype(x); return x / (V(1) + xgrad::math::abs(x)); }
///         static constexpr xgrad::symbol derivative(xgrad::symbol x, xgrad::symbol, xgrad::symbol g) {
///             auto d = 1_c + abs(x);
///             return g / (d * d);
///         }
///     };
///     inline constexpr xgrad::elementwise<softsign_op> softsign{};
///
/// `value` is one body for scalars and SIMD batches. Truth values are 0 and 1.
///
/// `derivative` gets the operands, the result and the gradient of the result. For one operand it returns the gradient
/// of it, a `symbol`. For two or three operands it returns `symbols`: one for each operand, `{}` for an operand without
/// gradient. The library undoes broadcasting. A gradient that reaches an operation without `derivative` is an error. If no
/// gradient is meant to pass, `derivative` returns `{}`.
///
/// `static constexpr number_bound numbers{.operand = 1, .from = 0, .below = 1}` requires operand 1 to be in [0, 1) if
/// it is an input. Each call checks it before it runs (value_error).
struct elementwise_op {
    static constexpr int flops = 1;
    static constexpr bool transcendental = false;
    static constexpr bool commutative = false;
    static constexpr bool self_inverse = false;
    static constexpr bool converts = false;
    static constexpr bool cheap = false;
    static constexpr bool multilinear = false;
    static constexpr bool negates = false;
    static constexpr operand_types accepts = operand_types::numeric;
    static constexpr bool returns_boolean = false;
};

namespace detail {
constexpr bool accepted(operand_types t, dtype d) {
    if (d == dtype::literal || t == operand_types::any) return true;
    switch (t) {
    case operand_types::numeric: return d != dtype::boolean;
    case operand_types::floating: return is_floating(d);
    default: return d == dtype::boolean;
    }
}
constexpr fault fault_for(operand_types t) {
    return t == operand_types::floating ? fault::not_floating : t == operand_types::boolean ? fault::not_boolean : fault::dtypes;
}

/// One dtype for all operands (literals adapt), and shapes broadcast. If the result repeats a named dimension, that is
/// a fault unless an operand has it twice.
constexpr value_info broadcast_operands(value_info const* v, int count, int first = 0) {
    value_info r{dtype::literal, v[0].dims, fault::none};
    extent const* repeated = nullptr;
    for (int i = 0; i < count; ++i) {
        if (i >= first && v[i].type != dtype::literal) {
            if (r.type == dtype::literal) r.type = v[i].type;
            else if (r.type != v[i].type) r.wrong = fault::dtypes;
        }
        if (i > 0 && r.dims.rank != v[i].dims.rank && repeated == nullptr) repeated = repeated_dimension(r.dims, v[i].dims);
        if (i > 0 && !broadcast_into(r.dims, v[i].dims) && r.wrong == fault::none) r.wrong = fault::shapes;
    }
    for (int i = 0; repeated != nullptr && i < count; ++i)
        if (has_twice(v[i].dims, *repeated)) repeated = nullptr;
    if (repeated != nullptr && r.wrong == fault::none) r.wrong = fault::repeated;
    return r;
}
template<operand_types Accepts, bool ReturnsBoolean>
constexpr value_info elementwise_rule(value_info const* v, int count, attributes const&) {
    value_info r = broadcast_operands(v, count);
    if (r.wrong == fault::none)
        for (int i = 0; i < count; ++i)
            if (!accepted(Accepts, v[i].type)) r.wrong = fault_for(Accepts);
    if (ReturnsBoolean) r.type = dtype::boolean;
    return r;
}
/// The return types that derivative(...) may have for N operands.
template<class R, std::size_t N>
concept DerivativeOf = std::same_as<R, symbols> || (N == 1 && std::same_as<R, symbol>);
template<class Op, std::size_t... K>
constexpr bool derivative_takes_all(std::index_sequence<K...>) {
    return requires(symbol s) {
        { Op::derivative((static_cast<void>(K), s)..., s, s) } -> DerivativeOf<sizeof...(K)>;
    };
}
template<class Op, std::size_t N>
    requires(__is_base_of(elementwise_op, Op) || __is_base_of(composite_op, Op))
inline constexpr bool derivative_takes<Op, N> = N <= 3 && derivative_takes_all<Op>(std::make_index_sequence<N>{});

// Not constexpr: if constant evaluation reaches it, the compiler prints its name and stops.
[[noreturn]] inline void derivative_returns_more_or_fewer_symbols_than_the_operation_has_operands() { std::abort(); }
template<class Op>
constexpr void derive_elementwise(derivation& d) {
    symbol const *x = d.operands, y = d.result, g = d.gradient;
    symbols s{};
    if constexpr (requires {
                      { Op::derivative(*x, y, g) } -> std::same_as<symbol>;
                  })
        s.at[0] = Op::derivative(x[0], y, g);
    else if constexpr (requires {
                           { Op::derivative(*x, y, g) } -> std::same_as<symbols>;
                       })
        s = Op::derivative(x[0], y, g);
    else if constexpr (requires { Op::derivative(*x, *x, y, g); }) s = Op::derivative(x[0], x[1], y, g);
    else s = Op::derivative(x[0], x[1], x[2], y, g);
    if (s.given >= 0 && s.given != d.count) derivative_returns_more_or_fewer_symbols_than_the_operation_has_operands();
    for (int i = 0; i < d.count && i < 4; ++i) d.out[i] = s.at[i];
}
template<class Op>
concept GivesDerivative = requires(symbol s) {
    { Op::derivative(s, s, s) } -> DerivativeOf<1>;
} || requires(symbol s) {
    { Op::derivative(s, s, s, s) } -> DerivativeOf<2>;
} || requires(symbol s) {
    { Op::derivative(s, s, s, s, s) } -> DerivativeOf<3>;
};
}

template<class Op>
    requires __is_base_of(elementwise_op, Op)
constexpr op_info op_description(Op const*) {
    op_info r{};
    r.name = Op::name;
    r.kind = op_kind::elementwise;
    r.flops = Op::flops;
    r.transcendental = Op::transcendental;
    r.commutative = Op::commutative;
    r.self_inverse = Op::self_inverse;
    r.converts = Op::converts;
    r.cheap = Op::cheap;
    r.multilinear = Op::multilinear;
    r.negates = Op::negates;
    if constexpr (requires { Op::identity; }) {
        r.has_identity = true;
        r.identity = Op::identity;
    }
    if constexpr (requires { Op::infer(nullptr, 0, attributes{}); }) r.infer = Op::infer;
    else r.infer = detail::elementwise_rule<Op::accepts, Op::returns_boolean>;
    if constexpr (requires { Op::numbers; }) r.numbers = Op::numbers;
    if constexpr (detail::GivesDerivative<Op>) r.derive = detail::derive_elementwise<Op>;
    r.lacks_derivative = detail::OwnOp<Op> && r.derive == nullptr;
    return r;
}

/// Base of operations that are written in terms of others. Members:
/// * `static constexpr symbol expand(symbol_table&, symbol const* x, int n, attributes const&)` and
///   `static constexpr value_info infer(...)`: required.
/// * `derivative`: optional, replaces the gradient of the expansion.
/// * `static constexpr index_bound indices{.operand = 1, .of = 0, .axis = -1}`: optional, needs a `derivative`. It
///   names the operand that holds indices. They are compared when a call binds them.
/// * `static constexpr int owned = 1`: for a layer, the operand that is its variable. A program may have one such call
///   of the layer, with one first operand.
/// * `static constexpr int moves = 4`: with at least this number of operands the operation is a layer with state, which nn::updates moves.
/// * `shared<A...>`: an alias template of a layer, the type of the same call when it owns no variable.
struct composite_op {};

template<class Op>
    requires __is_base_of(composite_op, Op)
constexpr op_info op_description(Op const*) {
    op_info r{};
    r.name = Op::name;
    r.kind = op_kind::composite;
    r.infer = Op::infer;
    r.expand = Op::expand;
    if constexpr (detail::GivesDerivative<Op>) r.derive = detail::derive_elementwise<Op>;
    if constexpr (requires { Op::indices; }) {
        static_assert(detail::GivesDerivative<Op>,
            "xgrad: a composite_op with `indices` has no derivative(...), so no operation remains that checks these indices; add a "
            "derivative(...), or remove `indices`");
        r.indices = Op::indices;
    }
    if constexpr (requires { Op::owned; }) r.owned = Op::owned;
    if constexpr (requires { Op::moves; }) r.moves = Op::moves;
    if constexpr (requires { Op::half_operands; }) r.half_operands = Op::half_operands;
    return r;
}

namespace detail {
// A literal takes the type of the other operands, so it must be one of the values of that type.
constexpr bool is_value_of(node_info const& n, dtype t) {
    bool const negated = n.op->negates && n.operands[0]->op->kind == op_kind::constant;   // -1_c
    node_info const& number = negated ? *n.operands[0] : n;
    if (number.op->kind != op_kind::constant || number.value.type != dtype::literal) return true;
    std::size_t const size = size_of(t);
    double const all = size == 8 ? 18014398509481984.0 : static_cast<double>(std::uint64_t{1} << (8 * size));   // 2^54: exact integers
    double const limit = is_unsigned(t) && size < 8 ? all - 1 : all / 2 - (size < 8 ? 1 : 0);
    double const value = number.attrs.as<constant_attributes>().value, x = negated ? -value : value;
    return x >= (is_unsigned(t) ? 0 : -limit - 1) && x <= limit && static_cast<double>(static_cast<std::int64_t>(x)) == x;
}
constexpr bool literals_fit(node_info const& n) {
    dtype t = dtype::literal;
    for (int i = 0; i < n.count; ++i)
        if (dtype const type = n.operands[i]->value.type; is_integer(type)) t = type;
    if (t == dtype::literal) return true;
    for (int i = 0; i < n.count; ++i)
        if (!is_value_of(*n.operands[i], t)) return false;
    return true;
}
template<class Op, class... A>
constexpr bool literals_fit() {
    if constexpr ((Symbol<A> || ...)) return true;
    else return literals_fit(node<Op, A...>::info);
}
template<class Op, class... A>
concept FitsElementwise = Fits<Op, A...> && literals_fit(node<Op, A...>::info);
}

/// Compile-time checks of an element-wise call: one error sentence for each mistake.
template<class Op, class... A>
constexpr void check_elementwise() {
    constexpr fault f = detail::fault_of<Op, A...>();
    static_assert(f != fault::dtypes, "xgrad: the operands of this element-wise operation have different or unsuitable element types; "
                                      "write cast<float>(x) (or another type) on one of them");
    static_assert(f != fault::not_floating, "xgrad: an operand of this operation is neither float nor double; write cast<float>(x) first");
    static_assert(
        f != fault::not_boolean, "xgrad: an operand of this operation is not bool; write a comparison first, such as greater(x, 0_c)");
    if constexpr (f == fault::shapes) detail::refuse_shapes<detail::shape_name<A>...>();
    if constexpr (f == fault::repeated) detail::refuse_repeated_dimension<detail::shape_name<A>...>();
    static_assert(detail::literals_fit<Op, A...>(),
        "xgrad: a constant next to integers does not fit their type; write cast<float>(x) to compute in float, or take another constant");
}

namespace detail {
template<class Op, std::size_t... K>
constexpr bool takes(std::index_sequence<K...>) {
    if constexpr (__is_base_of(elementwise_op, Op)) return requires { Op::value((static_cast<void>(K), 1.0f)...); };
    else return true;
}
template<class Op, std::size_t N>
inline constexpr bool takes_operands = takes<Op>(std::make_index_sequence<N>{});
}

/// The function object of an element-wise operation. It makes a node of expressions, or a node of the table of symbols.
template<class Op, bool Own = detail::OwnOp<Op>>
struct elementwise {
    template<Operand... A>
    constexpr auto operator()(A const&... a) const {
        constexpr bool count = detail::takes_operands<Op, sizeof...(A)>;
        static_assert(count,
            "xgrad: this element-wise operation gets more or fewer operands than its value(...) has parameters; give one operand "
            "for each parameter");
        static_assert(sizeof...(A) <= 3,
            "xgrad: this element-wise operation has more than three operands; write it as a composition of several operations");
        if constexpr (count && detail::FitsElementwise<Op, A...>) return node<Op, A...>{};
        else if constexpr (count && sizeof...(A) <= 3) {
            if constexpr (!(Symbol<A> || ...)) check_elementwise<Op, A...>();   // types and shapes of symbols are not known yet
            return apply<Op>(a...);
        } else return detail::refused{};
    }
    template<class... A>
        requires(!(Operand<A> && ...))
    constexpr auto operator()(A const&... a) const {
        if constexpr (requires { elementwise_on(Op{}, a...); }) return elementwise_on(Op{}, a...);   // pairs, found by their arguments
        else return detail::refuse_operand<A...>();
    }
};
template<class Op>
struct elementwise<Op, true> {
    template<class... A>
    constexpr auto operator()(A const&... a) const {
        if constexpr (detail::own_call_is_refused<elementwise_op, Op, A...>()) return detail::refused{};
        else return elementwise<Op, false>{}(a...);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
