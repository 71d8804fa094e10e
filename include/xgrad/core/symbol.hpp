// SPDX-License-Identifier: MIT
// Symbols: handles to nodes of a table under construction. Derivatives and rewritings are written with the same functions as expressions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/node.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

struct symbol_table;

/// One node of a table that constexpr code is building. Of an operation with several outputs each is a node of its own, a part.
struct symbol {
    symbol_table* table;
    int index;
    constexpr bool exists() const { return table != nullptr; }
};

/// What a symbol's operators need of the table behind it.
struct symbol_table {
    constexpr virtual symbol add(op_info const* op, symbol const* operands, int count, attributes const& a) = 0;
    constexpr virtual symbol constant(double value, dtype type) = 0;
    constexpr virtual value_info const& info(symbol s) const = 0;
    constexpr virtual op_info const* op(symbol s) const = 0;
    constexpr virtual symbol operand(symbol s, int k) = 0;
    constexpr virtual int arity(symbol s) const = 0;
    /// Whether `s` is a number of the program, perhaps repeated to a shape, and which.
    constexpr virtual bool is_constant(symbol s, double& value) const = 0;

protected:
    constexpr ~symbol_table() = default;
};

/// Gradients of an operation's operands, in order, one for each: `{{g * b, g * a}}`. An operand without a gradient has `{}` in its place.
struct symbols {
    symbol at[4]{};
    int given = -1;   ///< how many were listed; negative: `at` is filled by hand

    constexpr symbols() = default;
    template<int N>
    constexpr symbols(symbol const (&list)[N]) : given(N) {
        for (int i = 0; i < N && i < 4; ++i) at[i] = list[i];
    }
};

/// One visit of the reverse sweep: what an operation's derivative reads and writes.
struct derivation {
    symbol_table* table;
    int count;
    symbol operands[max_operands];
    symbol result;
    symbol gradient;                 // of the result; of several outputs that of the first
    symbol gradients[max_outputs];   // of each output; one that nothing depends on does not exist
    attributes const* attrs;
    bool wanted[max_operands];      // operands whose gradient is asked for
    symbol out[max_operands];       // dense gradients
    symbol values[max_operands];    // or rows of an indexed_slices ...
    symbol indices[max_operands];   // ... and where they belong

    constexpr value_info const& info(int operand) const { return table->info(operands[operand]); }
    /// Output `k` of an operation with several.
    constexpr symbol output(int k) const {
        auto const w = to_words(part_attributes{k});
        return table->add(op_register<op::part>::info, &result, 1, w.view());
    }
};

template<class T>   // with and without const, by reference or not; see Expr
concept Symbol = __is_same(T const&, symbol const&) || __is_same(T&, symbol&);
template<class T>
concept Operand = Expr<T> || Symbol<T>;

namespace op {
void is_of_the_library(void const*);   // found by the argument
}
namespace detail {
template<class T>
constexpr symbol_table* table_of(T const& x) {
    if constexpr (Symbol<T>) return x.table;
    else return nullptr;
}
template<class T>
constexpr symbol to_symbol(symbol_table* t, T const& x) {
    if constexpr (Symbol<T>) return x;
    else return t->constant(info_of<T>->attrs.template as<constant_attributes>().value, info_of<T>->value.type);
}
template<class T>
concept SymbolOrConstant = Symbol<T> || info_of<T>->op->kind == op_kind::constant;
template<class... A>
constexpr auto refuse_operand();

template<class Op, class... A>
constexpr fault fault_of() {   // what is no operand, or one too many, is refused when the operation is applied
    if constexpr ((Symbol<A> || ...) || !(Operand<A> && ...) || sizeof...(A) > max_operands) return fault::none;
    else if constexpr (((value_of<A>.wrong != fault::none) || ...)) return fault::none;
    else return node<Op, A...>::info.value.wrong;
}
/// Operands that are expressions and fit: the node is all that is left to say. Others go the way that has the sentences.
template<class Op, class... A>
concept Fits = (Expr<A> && ...) && sizeof...(A) <= max_operands && node<Op, A...>::info.value.wrong == fault::none;
/// Operations of the library, all in the namespace op: tests look at them in place of the checks of core/operations/own_op.hpp.
template<class Op>
concept LibraryOp = requires(Op const* o) { is_of_the_library(o); };
template<class Op>
concept OwnOp = !LibraryOp<Op> && !requires { Op::describe(); };
/// Whether a call of a user's own operation is refused; then a sentence says why.
template<class Op, class... A>
consteval bool own_is_refused();
}

/// `Op` applied to operands: a node type for expressions, a new node of the table for symbols.
template<class Op, class... A>
constexpr auto apply(A const&... a) {
    if constexpr (!(Operand<A> && ...) || sizeof...(A) > max_operands) return detail::refuse_operand<A...>();
    else if constexpr ((Symbol<A> || ...)) {
        static_assert(
            (detail::SymbolOrConstant<A> && ...), "xgrad: inside derivative(...) only its arguments and constants such as 1_c can be used");
        symbol_table* t = nullptr;
        ((t = t != nullptr ? t : detail::table_of(a)), ...);
        symbol const operands[]{detail::to_symbol(t, a)...};
        return t->add(
            op_register<typename detail::op_traits<Op>::op>::info, operands, static_cast<int>(sizeof...(A)), detail::op_traits<Op>::attrs);
    } else if constexpr (detail::OwnOp<typename detail::op_traits<Op>::op>)
        return std::conditional_t<detail::own_is_refused<Op, A...>(), detail::refused, node<Op, A...>>{};
    else {
        static_assert(detail::fault_of<Op, A...>() != fault::overflow,
            "xgrad: an extent of the result is a sum, product or quotient of too many named dimensions; give that extent a name of its own: declare "
            "what has it as an input");
        return node<Op, A...>{};
    }
}
/// The outputs of an operation with several, as a tuple: expressions of expressions, symbols of symbols.
template<class Op, class... A>
constexpr auto apply_all(A const&... a) {
    if constexpr (!(Operand<A> && ...) || sizeof...(A) > max_operands) return detail::refuse_operand<A...>();
    else {
        constexpr int count = op_register<typename detail::op_traits<Op>::op>::info->outputs;
        return [&]<int... K>(std::integer_sequence<int, K...>) {
            if constexpr ((Symbol<A> || ...)) {
                derivation d{};
                d.result = apply<Op>(a...);
                d.table = d.result.table;
                return std::tuple{d.output(K)...};
            } else return std::tuple<part<K, decltype(apply<Op>(a...))>...>{};
        }(std::make_integer_sequence<int, count>{});
    }
}
/// The same with attributes that are known only while a table is built.
template<class Op, class... S>
constexpr symbol apply_with(attributes const& a, symbol first, S... rest) {
    symbol const operands[]{first, rest...};
    return first.table->add(op_register<Op>::info, operands, static_cast<int>(1 + sizeof...(S)), a);
}
template<class Op, class... S>
constexpr symbol apply_with(typename Op::attributes const& a, symbol first, S... rest) {
    symbol const operands[]{first, rest...};
    auto const w = to_words(a);
    return first.table->add(op_register<Op>::info, operands, static_cast<int>(1 + sizeof...(S)), w.view());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
