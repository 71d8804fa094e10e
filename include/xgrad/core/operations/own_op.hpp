// SPDX-License-Identifier: MIT
// Checks a user's own operation at its call. Each mistake gives one error sentence.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/core/operations/op_slip.hpp>
#include <xgrad/core/operations/sample_table.hpp>

XGRAD_NAMESPACE_BEGIN

struct elementwise_op;
struct composite_op;
struct row_op;
struct kernel_op;
namespace simd {
template<class T>
struct batch;
}

namespace detail {
template<class Base, class Op>
inline constexpr bool derives_from = __is_base_of(Base, Op);

/// A SIMD batch of T if the backend is included, else T.
template<class T>
struct batch_or_number {
    using type = T;
};
template<class T>
    requires(sizeof(simd::batch<T>) > 0)
struct batch_or_number<T> {
    using type = simd::batch<T>;
};

// Finds out whether a struct has a member of a given name, of any kind and form. If it has, the name is ambiguous in a
// struct that is also derived from member_names.
struct member_names {
    static int value, derivative, derive, derivate, derivatives, derivation, deriv, gradient, gradients, grad, backward;
};
template<class Op>
struct beside_names : Op, member_names {};
template<class Op>
concept HasValueMember = !requires { beside_names<Op>::value; };
template<class Op>
concept HasDerivativeMember = !requires { beside_names<Op>::derivative; };
/// A name that other libraries use for derivative(...) or derive(...).
template<class Op>
concept HasMemberLikeDerivative = !requires {
    beside_names<Op>::derivate, beside_names<Op>::derivatives, beside_names<Op>::derivation, beside_names<Op>::deriv,
        beside_names<Op>::gradient, beside_names<Op>::gradients, beside_names<Op>::grad, beside_names<Op>::backward;
};

// For g++ a member that is not static is an error here, not a condition.
template<auto... Members>
inline constexpr bool are_static = (!std::is_member_pointer_v<decltype(Members)> && ...);
template<class Op>
concept NameIsStatic = requires { requires are_static<&Op::name>; };
template<class Op>
concept NameIsConstant = NameIsStatic<Op> && requires { typename constant_condition<(std::string_view(Op::name).size() > 0)>; };
template<class Op>
concept FlagsAreStatic = requires {
    requires are_static<&Op::flops, &Op::transcendental, &Op::commutative, &Op::self_inverse, &Op::converts, &Op::cheap, &Op::multilinear,
        &Op::negates, &Op::returns_boolean, &Op::accepts>;
};
template<class Op>
concept FlagsAreConstant = FlagsAreStatic<Op> && requires {
    typename constant_condition<(Op::flops + Op::transcendental + Op::commutative + Op::self_inverse + Op::converts + Op::cheap +
                                     Op::multilinear + Op::negates + Op::returns_boolean + static_cast<int>(Op::accepts) >=
                                 0)>;
    requires !requires { Op::identity; } || requires { typename constant_condition<(Op::identity < 0)>; };
};
template<class Op>
concept OutputsAreConstant = requires { requires are_static<&Op::outputs>; } &&
                             requires { typename constant_condition<(Op::outputs > 0 && Op::outputs <= max_outputs)>; };
template<class Op>
concept InfersOne = requires { static_cast<value_info (*)(value_info const*, int, attributes const&)>(Op::infer); };
template<class Op>
concept InfersEach = requires { static_cast<value_info (*)(value_info const*, int, attributes const&, int)>(Op::infer); };
template<class Op>
concept TurnsHasForm = requires { static_cast<extent (*)(kernel_operands const&)>(Op::turns); };
template<class Op>
concept ScratchHasForm = requires { static_cast<extent (*)(kernel_operands const&)>(Op::scratch_bytes); };
template<class Op>
concept HasForeignTurns = derives_from<kernel_op, Op> && requires { &Op::turns; } && !TurnsHasForm<Op>;
template<class Op>
concept HasForeignScratch = derives_from<kernel_op, Op> && requires { &Op::scratch_bytes; } && !ScratchHasForm<Op>;
template<class Op>
concept Expands = requires { static_cast<symbol (*)(symbol_table&, symbol const*, int, attributes const&)>(Op::expand); };

/// Mistakes that the type alone shows.
template<class Op>
consteval op_slip declared_slip() {
    if constexpr (derives_from<elementwise_op, Op>) {
        if constexpr (!NameIsConstant<Op>) return op_slip::no_name;
        else if constexpr (!FlagsAreConstant<Op>) return op_slip::flags;
        else return HasDerive<Op> ? op_slip::derive_of_elements : op_slip::none;
    } else if constexpr (derives_from<composite_op, Op>) {
        if constexpr (!NameIsConstant<Op>) return op_slip::no_name;
        else if constexpr (!InfersOne<Op>) return op_slip::infer_of_one;
        else if constexpr (!Expands<Op>) return op_slip::expand_form;
        else return HasDerive<Op> ? op_slip::derive_of_composite : op_slip::none;
    } else if constexpr (derives_from<row_op, Op> || derives_from<kernel_op, Op>) {
        if constexpr (!NameIsConstant<Op>) return op_slip::no_name;
        else if constexpr (!OutputsAreConstant<Op>) return op_slip::outputs;
        else if constexpr (!InfersEach<Op>) return op_slip::infer_of_each;
        else {
            constexpr bool rows = derives_from<row_op, Op>;
            if constexpr (HasForeignTurns<Op>) return op_slip::turns_form;
            else if constexpr (HasForeignScratch<Op>) return op_slip::scratch_form;
            else if constexpr (HasDerivative<Op>) return rows ? op_slip::derivative_of_rows : op_slip::derivative_of_kernel;
            else if constexpr (HasDerive<Op> && !Derives<Op>) return rows ? op_slip::derive_form_of_rows : op_slip::derive_form_of_kernel;
            else return op_slip::none;
        }
    } else return op_slip::no_base;
}
template<class Op>
inline constexpr op_slip declared_slip_of = declared_slip<Op>();

/// Declared attributes must be given. Otherwise the operation would run with zeros.
template<class Op>
inline constexpr op_slip attributes_slip = requires { typename Op::attributes; } ? op_slip::no_attributes : op_slip::none;
// Of arguments that are no extents, make_shape would make an empty shape.
template<auto... D>
inline constexpr op_slip extents_slip = sizeof...(D) <= max_rank && are_extents<D...> ? op_slip::none : op_slip::extents;
template<class Op, auto... A>
inline constexpr op_slip attributes_slip<with<Op, A...>> = !(may_be_extent<std::remove_const_t<decltype(A)>> && ...) ? op_slip::none
                                                           : requires { typename Op::attributes; } ? op_slip::no_attributes
                                                                                                   : extents_slip<A...>;
template<class Op, auto A, auto... D>
    requires is_struct_of<Op, decltype(A)>
inline constexpr op_slip attributes_slip<with<Op, A, D...>> =
    fills_words<typename Op::attributes> ? extents_slip<D...> : op_slip::attributes_form;

// Whether each body can run in a constant evaluation, with operands of these types.
template<class Op, class... A>
constexpr fault try_infer() {
    using own = typename op_traits<Op>::op;
    if constexpr (derives_from<composite_op, own>) return own::infer(sample_operands<Op, A...>, sizeof...(A), op_traits<Op>::attrs).wrong;
    else if constexpr (derives_from<elementwise_op, own>) return fault::none;
    else {
        fault wrong = fault::none;
        for (int k = own::outputs; k-- > 0;) wrong = own::infer(sample_operands<Op, A...>, sizeof...(A), op_traits<Op>::attrs, k).wrong;
        return wrong;
    }
}
template<class Op, class... A>
concept InferIsConstexpr = requires { typename constant_condition<(try_infer<Op, A...>() == fault::none)>; };
template<class Op, class... A>
concept ExpandIsConstexpr = requires { typename constant_condition<try_expand<Op, A...>()>; };
template<class Op, class... A>
concept DerivativeIsConstexpr = requires { typename constant_condition<(try_derivative<Op, A...>().beyond)>; };
template<class Op, class... A>
concept DeriveIsConstexpr = requires { typename constant_condition<(try_derive<Op, A...>().beyond)>; };

/// Calls what the planner calls of a kernel: turns(...) or scratch_bytes(...).
template<class Op, bool Scratch, class... A>
constexpr bool try_extent() {
    using own = typename op_traits<Op>::op;
    value_info of[sizeof...(A) + own::outputs]{};
    value_info const* at[sizeof...(A) + own::outputs]{};
    int const operands = sizeof...(A);
    for (int k = 0; k < operands + own::outputs; ++k) {
        of[k] = k < operands ? sample_operands<Op, A...>[k]
                             : own::infer(sample_operands<Op, A...>, operands, op_traits<Op>::attrs, k - operands);
        at[k] = &of[k];
    }
    kernel_operands const v{at, operands, own::outputs, op_traits<Op>::attrs};
    if constexpr (Scratch) return own::scratch_bytes(v).count >= 0;
    else return own::turns(v).count >= 0;
}
template<class Op, bool Scratch, class... A>
concept ExtentIsConstexpr = requires { typename constant_condition<try_extent<Op, Scratch, A...>()>; };

// value(...) is tried with the element type of the operands, then with a SIMD batch of it.
template<class Op, class V, std::size_t... K>
concept ValueTakes = requires { Op::value((static_cast<void>(K), V())...); };
template<class Op, class V, std::size_t... K>
concept ValueGives = requires {
    { Op::value((static_cast<void>(K), V())...) } -> std::same_as<V>;
};
template<class Op, std::size_t... K>
consteval bool value_takes(std::index_sequence<K...>) {
    return ValueTakes<Op, float, K...>;
}
/// The call has a number of operands that value(...) does not take.
template<class Op, std::size_t N>
consteval bool value_takes_others() {
    if constexpr (value_takes<Op>(std::make_index_sequence<N>())) return false;
    else
        return value_takes<Op>(std::make_index_sequence<1>()) || value_takes<Op>(std::make_index_sequence<2>()) ||
               value_takes<Op>(std::make_index_sequence<3>());
}
template<class Op, class T, std::size_t... K>
consteval op_slip value_slip(std::index_sequence<K...>) {
    using B = typename batch_or_number<T>::type;
    if constexpr (!ValueTakes<Op, float, K...>) {
        if constexpr (!HasValueMember<Op>) return op_slip::no_value;
        else if constexpr (requires(Op const& o) { o.value((static_cast<void>(K), 1.0f)...); }) return op_slip::value_not_static;
        else if constexpr (value_takes_others<Op, sizeof...(K)>()) return op_slip::none;   // elementwise reports it
        else return op_slip::value_form;
    } else if constexpr (!ValueGives<Op, T, K...>) return op_slip::value_type;
    else if constexpr (!ValueTakes<Op, B, K...>) return op_slip::value_of_numbers;
    else return ValueGives<Op, B, K...> ? op_slip::none : op_slip::value_type;
}
/// The element type in which value(...) computes. boolean if there may be several types, or for truth values.
template<class Op, class... A>
consteval dtype value_type() {
    dtype t = dtype::literal;
    for (value_info const& v : sample_operands<Op, A...>)
        if (v.type != dtype::literal) t = t == dtype::literal || t == v.type ? v.type : dtype::boolean;
    return t == dtype::literal ? dtype::float32 : t;
}
template<class Op, class... A>
consteval op_slip value_slip_of() {
    constexpr dtype type = value_type<Op, A...>();
    if constexpr (type == dtype::boolean || requires { &Op::infer; } || Op::converts) return op_slip::none;
    else return value_slip<Op, math::promoted<cpp_type_t<type>>>(std::make_index_sequence<sizeof...(A)>());
}

template<class Op, std::size_t N>
inline constexpr bool derivative_takes = false;

/// Mistakes that a call with these operands shows.
template<class Op, class... A>
consteval op_slip op_slip_of_call() {
    using own = typename op_traits<Op>::op;
    if constexpr (declared_slip_of<own> != op_slip::none) return declared_slip_of<own>;
    else if constexpr (attributes_slip<Op> != op_slip::none) return attributes_slip<Op>;
    else if constexpr (((value_of<A>.wrong != fault::none) || ...) || sizeof...(A) > max_operands) return op_slip::none;
    else if constexpr (!InferIsConstexpr<Op, A...>) return op_slip::infer_not_constexpr;
    else if constexpr (derives_from<composite_op, own>) {
        if constexpr (try_infer<Op, A...>() != fault::none) return op_slip::infer_refuses;
        else if constexpr (!ExpandIsConstexpr<Op, A...>) return op_slip::expand_not_constexpr;
        else if constexpr (!try_expand<Op, A...>()) return op_slip::expand_is_other;
        else return op_slip::none;
    } else if constexpr (derives_from<elementwise_op, own>) return value_slip_of<Op, A...>();
    else return op_slip::none;
}
template<class Op, class... A>
consteval op_slip extent_slip_of_call() {
    using own = typename op_traits<Op>::op;
    if constexpr (TurnsHasForm<own>)
        if constexpr (!ExtentIsConstexpr<Op, false, A...>) return op_slip::turns_not_constexpr;
    if constexpr (ScratchHasForm<own>)
        if constexpr (!ExtentIsConstexpr<Op, true, A...>) return op_slip::scratch_not_constexpr;
    return op_slip::none;
}
/// Mistakes that the gradients show, once the operands fit.
template<class Op, class... A>
consteval op_slip gradient_slip_of_call() {
    using own = typename op_traits<Op>::op;
    if constexpr (constexpr fault wrong = node<Op, A...>::info.value.wrong; wrong != fault::none)
        return wrong == fault::overflow && ((value_of<A>.wrong == fault::none) && ...) ? op_slip::overflow : op_slip::none;
    else if constexpr (derives_from<elementwise_op, own> || derives_from<composite_op, own>) {
        if constexpr (!HasDerivativeMember<own>) return HasMemberLikeDerivative<own> ? op_slip::derivative_name : op_slip::none;
        else if constexpr (!derivative_takes<own, sizeof...(A)>)
            return value_takes_others<own, sizeof...(A)>() ? op_slip::none : op_slip::derivative_form;
        else if constexpr (!DerivativeIsConstexpr<Op, A...>) return op_slip::derivative_not_constexpr;
        else return try_derivative<Op, A...>().ignores ? op_slip::derivative_ignores : op_slip::none;
    } else if constexpr (extent_slip_of_call<Op, A...>() != op_slip::none) return extent_slip_of_call<Op, A...>();
    else if constexpr (!Derives<own>) return HasMemberLikeDerivative<own> ? op_slip::derive_name : op_slip::none;
    else if constexpr (!DeriveIsConstexpr<Op, A...>) return op_slip::derive_not_constexpr;
    else {
        constexpr derivative_sample s = try_derive<Op, A...>();
        return s.beyond ? op_slip::derive_beyond : s.ignores ? op_slip::derive_ignores : op_slip::none;
    }
}
/// The number of symbols that derivative(...) returns. It is the number of operands if derivative does not count them.
template<class Op, class... A>
consteval int symbols_returned() {
    using own = typename op_traits<Op>::op;
    if constexpr (derives_from<elementwise_op, own> || derives_from<composite_op, own>)
        if constexpr (HasDerivativeMember<own> && derivative_takes<own, sizeof...(A)>)
            if constexpr (constexpr int n = try_derivative<Op, A...>().returned; n >= 0) return n;
    return sizeof...(A);
}

template<class Op, class... A>
consteval bool own_is_refused() {
    using own = typename op_traits<Op>::op;
    if constexpr (!(Expr<A> && ...) || sizeof...(A) > max_operands) return false;   // types and shapes of symbols are not known yet
    else {
        constexpr op_slip slip = op_slip_of_call<Op, A...>();
        refuse_slip<slip, own>();
        if constexpr (slip != op_slip::none) return true;
        else {
            constexpr op_slip late = gradient_slip_of_call<Op, A...>();
            refuse_slip<late, own>();
            if constexpr (late != op_slip::none) return true;
            else {
                constexpr int operands = sizeof...(A), returned = symbols_returned<Op, A...>();
                refuse_symbols<operands, returned, own>();
                return operands != returned;
            }
        }
    }
}

/// Like own_is_refused, for a function object of operations that derive from Base.
template<class Base, class Op, class... A>
consteval bool own_call_is_refused() {
    using own = typename op_traits<Op>::op;
    if constexpr (!OwnOp<own>) return false;
    else if constexpr (!derives_from<Base, own> && declared_slip_of<own> != op_slip::no_base) {
        static_assert(derives_from<Base, own>,
            "xgrad: row_function, kernel_function or elementwise gets a struct with another base; use the function named like "
            "row_op, kernel_op or elementwise_op, and for a composite_op xgrad::apply<op>(x)");
        return true;
    } else return own_is_refused<Op, A...>();
}
/// The result of a refused call.
template<class Op>
constexpr auto refused_results() {
    if constexpr (OutputsAreConstant<typename op_traits<Op>::op>)
        return []<std::size_t... K>(std::index_sequence<K...>) {
            if constexpr (sizeof...(K) == 1) return refused{};
            else return std::tuple<std::conditional_t<(K + 1 > 0), refused, void>...>{};
        }(std::make_index_sequence<static_cast<std::size_t>(op_traits<Op>::op::outputs)>{});
    else return refused{};
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
