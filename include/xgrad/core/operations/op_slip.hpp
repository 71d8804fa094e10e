// SPDX-License-Identifier: MIT
// The mistakes in a user's own operation, and the error sentence for each.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/fixed_string.hpp>

#include <string_view>

XGRAD_NAMESPACE_BEGIN
namespace detail {

enum class op_slip : unsigned char {
    none,
    no_base,
    no_name,
    no_attributes,
    attributes_form,
    extents,
    flags,
    outputs,
    infer_of_one,
    infer_of_each,
    infer_not_constexpr,
    infer_refuses,
    overflow,
    expand_form,
    expand_not_constexpr,
    expand_is_other,
    no_value,
    value_not_static,
    value_form,
    value_of_numbers,
    value_type,
    derivative_name,
    derive_name,
    derive_of_elements,
    derive_of_composite,
    derive_form_of_rows,
    derive_form_of_kernel,
    derivative_of_rows,
    derivative_of_kernel,
    turns_form,
    scratch_form,
    turns_not_constexpr,
    scratch_not_constexpr,
    derivative_form,
    derivative_not_constexpr,
    derivative_ignores,
    derive_not_constexpr,
    derive_ignores,
    derive_beyond
};

template<op_slip S, class Op>
constexpr void refuse_slip() {
    using enum op_slip;
    static_assert(
        S != no_base, "xgrad: this struct is not an operation; derive it from xgrad::elementwise_op, composite_op, row_op or kernel_op");
    static_assert(S != no_name, "xgrad: this operation has no constant name, or its name is not public; write struct, and static constexpr "
                                "std::string_view name = \"softsign\";");
    static_assert(S != no_attributes,
        "xgrad: this operation has attributes and is used without them; write xgrad::with<op, op::attributes{...}> in place of "
        "op");
    static_assert(S != attributes_form,
        "xgrad: the attributes of this operation are not plain members that fill words of 8 bytes without gaps; write "
        "std::int64_t for int, and xgrad::flag for bool");
    static_assert(S != extents,
        "xgrad::with<op, ...>: an extent is neither an integer of at least 0 nor a named dimension, or there are more than six; write "
        "with<op, batch, 16>");
    static_assert(S != flags,
        "xgrad: a property of this elementwise_op is not a constant; write static constexpr before flops, transcendental, "
        "commutative, self_inverse, multilinear, negates, accepts and returns_boolean");
    static_assert(S != outputs,
        "xgrad: the number of outputs of this operation is not a constant from 1 to 32; write static constexpr int outputs = 2;");
    static_assert(S != infer_of_one,
        "xgrad: infer(...) of a composite_op is missing or has another form; write static constexpr value_info infer(value_info const* v, "
        "int count, attributes const& a)");
    static_assert(S != infer_of_each,
        "xgrad: infer(...) of this operation is missing or has another form; write static constexpr value_info infer(value_info const* v, "
        "int count, attributes const& a, int output)");
    static_assert(S != infer_not_constexpr,
        "xgrad: infer(...) of this operation cannot run while compiling; declare it static constexpr, call only constexpr "
        "functions, and read only operands that the call passes");
    static_assert(S != infer_refuses,
        "xgrad: infer(...) of this composite_op refuses the operands: their element types or their shapes; see which fault it gives");
    static_assert(S != overflow,
        "xgrad: infer(...) of this operation returns an extent with too many named dimensions in a sum, product or quotient; "
        "declare an input with one named dimension for this extent");
    static_assert(S != expand_form,
        "xgrad: expand(...) of a composite_op is missing or has another form; write static constexpr symbol expand(symbol_table& t, symbol "
        "const* x, int count, attributes const& a)");
    static_assert(S != expand_not_constexpr,
        "xgrad: expand(...) of this composite_op cannot run while compiling; declare it static constexpr, define it before the "
        "first call, and read only operands that the call passes");
    static_assert(S != expand_is_other,
        "xgrad: expand(...) of this composite_op makes another element type or shape than infer(...) returns; write the same "
        "in both");
    static_assert(S != no_value,
        "xgrad: this elementwise_op has no value(...), the function for one element; write static auto value(auto x), with one "
        "parameter for each operand");
    static_assert(S != value_not_static, "xgrad: value(...) of this elementwise_op is not static; write static auto value(auto x)");
    static_assert(S != value_form,
        "xgrad: value(...) of this elementwise_op cannot be called; write public static auto value(auto x), with each operand "
        "by value");
    static_assert(S != value_of_numbers,
        "xgrad: value(...) of this elementwise_op takes single numbers only, but its body also runs on SIMD batches; write "
        "static auto value(auto a, auto b)");
    static_assert(S != value_type,
        "xgrad: value(...) of this elementwise_op returns another type than its operands have; with V = decltype(x), write V(0.5), "
        "xgrad::math::exp(x) for std::exp(x), and xgrad::math::greater(x, V(0)) for x > 0");
    static_assert(S != derivative_name,
        "xgrad: this operation has no derivative(...), but a function of a similar name that is never called; name it derivative: static "
        "constexpr symbol derivative(symbol x, symbol y, symbol g)");
    static_assert(S != derive_name,
        "xgrad: this operation has no derive(...), but a function of a similar name that is never called; name it derive: static "
        "constexpr void derive(derivation& d)");
    static_assert(S != derive_of_elements,
        "xgrad: this elementwise_op has derive(...), which only row_op and kernel_op have; write derivative(...) of the "
        "operands, the result and its gradient");
    static_assert(S != derive_of_composite,
        "xgrad: this composite_op has derive(...), which only row_op and kernel_op have; write derivative(...) of the "
        "operands, the result and its gradient");
    static_assert(
        S != derive_form_of_rows, "xgrad: derive(...) of this row_op has another form; write `static constexpr void derive(derivation&)`");
    static_assert(S != derive_form_of_kernel,
        "xgrad: derive(...) of this kernel_op has another form; write `static constexpr void derive(derivation&)`");
    static_assert(S != derivative_of_rows,
        "xgrad: this row_op has derivative(...), which only elementwise_op and composite_op have; write `static constexpr void "
        "derive(derivation&)`");
    static_assert(S != derivative_of_kernel,
        "xgrad: this kernel_op has derivative(...), which only elementwise_op and composite_op have; write `static constexpr "
        "void derive(derivation&)`");
    static_assert(S != turns_form,
        "xgrad: turns(...) of this kernel_op has another form; write `static constexpr extent turns(kernel_operands const&)`");
    static_assert(S != scratch_form, "xgrad: scratch_bytes(...) of this kernel_op has another form; write `static constexpr extent "
                                     "scratch_bytes(kernel_operands const&)`");
    static_assert(S != turns_not_constexpr,
        "xgrad: turns(...) of this kernel_op cannot run while compiling; write static constexpr extent turns(kernel_operands const& v)");
    static_assert(S != scratch_not_constexpr,
        "xgrad: scratch_bytes(...) of this kernel_op cannot run while compiling; write static constexpr extent "
        "scratch_bytes(kernel_operands const& v)");
    static_assert(S != derivative_form,
        "xgrad: derivative(...) of this operation has another form; write public static constexpr symbol derivative(symbol x, "
        "symbol y, symbol g), or for several operands x... return symbols{...}");
    static_assert(S != derivative_not_constexpr,
        "xgrad: derivative(...) of this operation cannot run while compiling; declare it static constexpr, and define it before the first "
        "call");
    static_assert(S != derivative_ignores,
        "xgrad: derivative(...) of this operation returns a gradient without g, its last argument, which is the gradient of "
        "the result; multiply by it: g * 2_c * x");
    static_assert(S != derive_not_constexpr,
        "xgrad: derive(...) of this operation cannot run while compiling; declare it static constexpr, and define it before the first "
        "call");
    static_assert(S != derive_ignores,
        "xgrad: derive(...) of this operation sets a gradient d.out[i] that does not depend on the gradients of the outputs; "
        "compute it from d.gradient or d.gradients[k]");
    static_assert(S != derive_beyond,
        "xgrad: derive(...) of this operation sets d.out[i] for an operand that it does not have; count operands from 0");
}
/// What an error calls a while_loop that keeps no iterations, and a gradient that has none. No operation has such a name.
inline constexpr std::string_view loop_without_capacity = "while_loop without a capacity", last_gradient = "gradient without a gradient";
/// The name of the operation is a template argument, so that the compiler's message shows it. prevent_gradient has its text in it.
template<fixed_string Operation>
struct operation_without_derivative {
    static constexpr bool prevented = Operation.view().starts_with("prevent_gradient: ");
    static_assert(!prevented,
        "xgrad: a gradient reaches prevent_gradient<why>(x); operation_without_derivative<...> shows why; differentiate by something "
        "else, or write stop_gradient(x)");
    static constexpr bool unlimited = Operation.view() == loop_without_capacity;
    static_assert(!unlimited,
        "xgrad: a gradient reaches while_loop<condition, body>(carry(start...)), which has no capacity; write while_loop<condition, body, "
        "100> with the largest number of iterations, or stop_gradient(x) around the result");
    static constexpr bool second = Operation.view() == last_gradient;
    static_assert(!second,
        "xgrad: a second gradient reaches ctc_loss or crf_log_likelihood, which have a first one only; write stop_gradient(...) around the "
        "first gradient");
    static_assert(prevented || unlimited || second,
        "xgrad: a gradient reaches an operation without derivative(...) or derive(...); write one, which for no gradient "
        "returns {} or is empty");
};
template<bool Linear>
struct derivative_that_is_linear {
    static_assert(Linear,
        "xgrad: jvp found a derivative(...) or derive(...) that is not linear in its gradient; write a linear one, and clip or "
        "round gradients outside of the operation, as in tanh(gradient_of(y, x))");
};
/// The name of the gradient that a user has written is a template argument.
template<fixed_string Gradient>
struct gradient_that_is_linear {
    static_assert(sizeof(Gradient) == 0,
        "xgrad: jvp found the gradient of a custom_gradient<body, gradient>(x...) that is not linear in g: gradient_that_is_linear<...> "
        "names it; write with_jvp<body, tangent>(x...)");
};
template<int Operands, int Returned, class Op>
constexpr void refuse_symbols() {
    static_assert(Operands == Returned,
        "xgrad: derivative(...) returns more or fewer symbols than the operation has operands; write one for each, and {} for an operand "
        "without gradient: {{g * b, {}}}");
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
