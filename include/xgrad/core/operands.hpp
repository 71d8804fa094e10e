// SPDX-License-Identifier: MIT
// Error sentences for an argument of an expression that is not an operand.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/symbol.hpp>

#include <tuple>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace op {
constexpr value_info no_rule(value_info const*, int, attributes const&) { return {}; }
struct constant {
    static constexpr op_info describe() { return make_op("constant", op_kind::constant, no_rule, nullptr); }
};
}

/// The three kinds of gradients: none, because y does not depend on x;
template<class G>
concept NoGradient = requires { requires std::remove_cvref_t<G>::is_no_gradient; };
/// rows by index, because x is only read by index;
template<class G>
concept SparseGradient = requires { requires std::remove_cvref_t<G>::is_slices; };
/// or an expression with the shape of x.
template<class G>
concept DenseGradient = Expr<G>;

/// Complex numbers: a pair of expressions, see ops/complex/complex.hpp.
template<class T>
concept Complex = requires { typename std::remove_cvref_t<T>::complex_parts; };

namespace detail {
/// The result of a public function that refused its arguments. Everything that is built on it stays silent.
struct refused : expression_base {
    static constexpr std::uint64_t word = 0;
    static constexpr node_info info{
        op_register<op::constant>::info, {dtype::literal, {}, fault::dtypes}, {.words = &word, .word_count = 1}, 0, nullptr, 0};
};
/// Whether a public function has refused its arguments already, and returned T.
template<class T>
inline constexpr bool was_refused = __is_base_of(refused, T);

template<class T>
inline constexpr bool is_tuple = false;
template<class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template<class T>
inline constexpr bool is_number = std::is_arithmetic_v<std::remove_cvref_t<T>>;
/// Refuses complex numbers where a body takes or gives expressions.
template<class... A>
constexpr void refuse_complex() {
    constexpr bool real = !(Complex<A> || ...);
    static_assert(real, "xgrad: a body takes or gives complex numbers, which it cannot hold; pass real(z) and imag(z), and write "
                        "complex(re, im) where they are read");
}
template<class... A>
constexpr auto refuse_operand() {
    constexpr bool number = (is_number<A> || ...), several = (is_tuple<A> || ...), gradient = (NoGradient<A> || ...);
    constexpr bool slices = (SparseGradient<A> || ...), many = sizeof...(A) > max_operands, symbols = (Symbol<A> && ...) && !many;
    constexpr bool block = (HasBody<std::remove_cvref_t<A>> || ...);
    constexpr bool known = number || several || gradient || slices || many || symbols || block;
    static_assert(!many, "xgrad: an operation has more than 32 operands; join some of them by concat, or apply it to groups of them");
    static_assert(!gradient, "xgrad: xgrad::none is used in an expression: it is the gradient of a y that does not depend on this x; write "
                             "gradients(y, unconnected_zeros, x...) for zeros");
    static_assert(!slices, "xgrad: indexed_slices are used in an expression; take g.dense, or g.values and g.indices");
    static_assert(!several, "xgrad: several outputs of one operation are used as one operand; write them apart: auto [values, indices] = "
                            "xgrad::top_k<3>(x)");
    static_assert(!symbols,
        "xgrad: a symbol is given to a function that needs its shape at compile time; in derivative(...), derive(...) and "
        "expand(...) write xgrad::apply_with<op>({attributes...}, x)");
    static_assert(!block,
        "xgrad: a struct with value() is used in an expression and is not an expression; derive it from xgrad::let of the "
        "struct: struct block : xgrad::let<block>");
    static_assert(!number,
        "xgrad: a bare number is used in an expression; write 0.5_c for a constant (using namespace xgrad::literals), or for a "
        "number that changes an input such as xgrad::input<\"rate\", float>");
    static_assert(known, "xgrad: an array or another object is used in an expression; declare an input such as xgrad::input<\"x\", float, "
                         "batch, 784> and bind the array in the call: f(x = array)");
    if constexpr ((Symbol<A> || ...)) return symbol{};
    else return refused{};
}
/// Some arguments are operands, and some are not.
template<class... A>
concept Mixed = (Operand<A> || ...) && !(Operand<A> && ...) && !(Complex<A> || ...);
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
