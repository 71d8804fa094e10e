// SPDX-License-Identifier: MIT
// Symbols are handles to nodes of a table under construction. So derivatives and rewritings use the same functions as
// expressions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/node.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

struct symbol_table;

/// One node of a table that constexpr code is building. Each output of an operation that has several is a separate
/// node, a part.
struct symbol {
    symbol_table* table;
    int index;
    constexpr bool exists() const { return table != nullptr; }
};

/// What the operators of a symbol need of the table that the symbol refers to.
struct symbol_table {
    constexpr virtual symbol add(op_info const* op, symbol const* operands, int count, attributes const& a) = 0;
    constexpr virtual symbol constant(double value, dtype type) = 0;
    constexpr virtual value_info const& info(symbol s) const = 0;
    constexpr virtual op_info const* op(symbol s) const = 0;
    constexpr virtual symbol operand(symbol s, int k) = 0;
    constexpr virtual int arity(symbol s) const = 0;
    /// Whether `s` is a constant of the program, also one repeated to a shape. Sets `value` to it.
    constexpr virtual bool is_constant(symbol s, double& value) const = 0;

protected:
    constexpr ~symbol_table() = default;
};

/// Gradients of the operands of an operation, one per operand in order: `{{g * b, g * a}}`. `{}` means that the operand
/// has no gradient.
struct symbols {
    symbol at[4]{};
    int given = -1;   ///< how many were listed; negative: `at` is filled in directly

    constexpr symbols() = default;
    template<int N>
    constexpr symbols(symbol const (&list)[N]) : given(N) {
        for (int i = 0; i < N && i < 4; ++i) at[i] = list[i];
    }
};

namespace detail {
/// Output `k` of an operation that has several.
constexpr symbol output_of(symbol whole, int k) {
    auto const w = to_words(part_attributes{k});
    return whole.table->add(op_register<op::part>::info, &whole, 1, w.view());
}
}

/// One visit of the reverse sweep: the input and output of an operation's derivative.
struct derivation {
    symbol_table* table;
    int count;
    symbol operands[max_region_operands];
    symbol result;
    symbol gradient;                        // of the result; with several outputs, of the first
    symbol gradients[max_region_outputs];   // of each output; does not exist for an output that nothing depends on
    attributes const* attrs;
    bool wanted[max_region_operands];      // operands that need a gradient
    symbol out[max_region_operands];       // dense gradients
    symbol values[max_region_operands];    // or rows of an indexed_slices ...
    symbol indices[max_region_operands];   // ... and their row numbers

    constexpr value_info const& info(int operand) const { return table->info(operands[operand]); }
    /// Output `k` of an operation that has several.
    constexpr symbol output(int k) const { return detail::output_of(result, k); }
};

// With and without const, by value or reference; see Expr.
template<class T>
concept Symbol = __is_same(T const&, symbol const&) || __is_same(T&, symbol&);
template<class T>
concept Operand = Expr<T> || Symbol<T>;

namespace op {
void is_of_the_library(void const*);   // found by argument-dependent lookup
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
// Arguments that are not operands, or too many of them, are refused when the operation is applied.
constexpr fault fault_of() {
    if constexpr ((Symbol<A> || ...) || !(Operand<A> && ...) || sizeof...(A) > max_operands) return fault::none;
    else if constexpr (((value_of<A>.wrong != fault::none) || ...)) return fault::none;
    else return node<Op, A...>::info.value.wrong;
}
/// The operands are expressions and fit, so the node can be made directly. Others take the path with the error
/// sentences.
template<class Op, class... A>
concept Fits = (Expr<A> && ...) && sizeof...(A) <= max_operands && node<Op, A...>::info.value.wrong == fault::none;
/// Operations of the library, which are all in the namespace op. Tests check them, so the checks of
/// core/operations/own_op.hpp do not run for them.
template<class Op>
concept LibraryOp = requires(Op const* o) { is_of_the_library(o); };
template<class Op>
concept OwnOp = !LibraryOp<Op> && !requires { Op::describe(); };
/// Whether a call of a user's own operation is refused. If so, it also gives the error sentence.
template<class Op, class... A>
consteval bool own_is_refused();
}

/// Applies `Op` to operands of which one is a symbol: a new node of its table. The type of the result is written, so that the derivative of
/// a class template may apply the same operation.
template<class Op, class... A>
    requires((Symbol<A> || ...) && (Operand<A> && ...) && sizeof...(A) <= max_operands)
constexpr symbol apply(A const&... a) {
    static_assert((detail::SymbolOrConstant<A> && ...),
        "xgrad: an expression is used inside derivative(...), which computes with symbols; write it with the arguments and "
        "constants such as 1_c");
    symbol_table* t = nullptr;
    ((t = t != nullptr ? t : detail::table_of(a)), ...);
    symbol const operands[]{detail::to_symbol(t, a)...};
    return t->add(
        op_register<typename detail::op_traits<Op>::op>::info, operands, static_cast<int>(sizeof...(A)), detail::op_traits<Op>::attrs);
}
/// Applies `Op` to operands: makes a node type of expressions.
template<class Op, class... A>
constexpr auto apply(A const&...) {
    if constexpr (!(Operand<A> && ...) || sizeof...(A) > max_operands) return detail::refuse_operand<A...>();
    else if constexpr (detail::OwnOp<typename detail::op_traits<Op>::op>)
        return std::conditional_t<detail::own_is_refused<Op, A...>(), detail::refused, node<Op, A...>>{};
    else {
        static_assert(detail::fault_of<Op, A...>() != fault::overflow,
            "xgrad: an extent of the result has too many named dimensions in a sum, product or quotient; declare an input with one "
            "named dimension for this extent");
        return node<Op, A...>{};
    }
}
/// All outputs of an operation that has several, as a tuple: expressions for expressions, symbols for symbols.
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
/// Like apply, with attributes that are known only while a table is built.
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
