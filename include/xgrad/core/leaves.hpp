// SPDX-License-Identifier: MIT
// Leaves of a graph: inputs and variables. Names, element types and shapes are part of the type.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array_like.hpp>
#include <xgrad/core/operands.hpp>
#include <xgrad/core/symbol.hpp>

#include <bit>
#include <initializer_list>
#include <limits>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct input {
    static constexpr op_info describe() { return make_op("input", op_kind::input, no_rule, nullptr); }
};
struct variable {
    static constexpr op_info describe() { return make_op("variable", op_kind::variable, no_rule, nullptr); }
};
/// A variable after its update. No gradient passes.
struct updated {
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return v[0]; }
    static constexpr op_info describe() { return make_op("updated", op_kind::updated, infer, nullptr); }
};
}

/// An argument of a call: `x = array`. A named container must live until the call. Spans, views, numbers and temporaries are held by value.
template<class Input, class Array>
struct [[nodiscard("x = array is an argument of a call, as in f(x = array); alone it does nothing")]] binding {
    using input = Input;
    Array array;
};

namespace detail {
template<auto... D>
constexpr bool extents_fit() {
    return !(extent_of_argument<D>().overflow || ...);
}
constexpr fault fault_of_leaf(shape const& s) {
    fault r = fault::none;
    for (int i = 0; i < s.rank; ++i)
        if (s.extents[i].overflow) r = fault::overflow;
    return r;
}
template<class Op>
constexpr node_info leaf_info(std::string_view name, dtype type, shape const& s, attributes a = {}) {
    a.name = name;
    a.name_hash = hash_text(name);
    std::uint64_t const h =
        hash_mix(hash_mix(a.name_hash, hash_text(op_register<Op>::info->name)), hash_mix(s.hash(), static_cast<std::uint64_t>(type)));
    return node_info{op_register<Op>::info, {type, s, fault_of_leaf(s)}, a, 0, nullptr, h};
}
}

namespace detail {
struct no_array {};
/// Whether two element types are the same. There are two types for integers of 64 bits. char has a sign on some machines only.
template<class T, class E>
constexpr bool has_same_elements() {
    if constexpr (std::is_same_v<E, T>) return true;
    else if constexpr (std::is_integral_v<E> && std::is_integral_v<T>)
        return !std::is_same_v<T, bool> && !std::is_same_v<E, bool> && !std::is_same_v<E, char> &&
               std::is_signed_v<E> == std::is_signed_v<T> && sizeof(E) == sizeof(T);
    else return false;
}
/// A number of type E becomes one of type T for an input of rank 0. float and double take any number, integers only integers whose type
/// has no other values.
template<class T, class E, int Rank>
inline constexpr bool becomes =
    Rank == 0 && !std::is_same_v<E, T> && std::is_arithmetic_v<E> && std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
    !std::is_same_v<E, bool> &&
    (std::is_floating_point_v<T> || (std::is_integral_v<E> && std::is_signed_v<E> == std::is_signed_v<T> && sizeof(E) <= sizeof(T)) ||
        (std::is_integral_v<E> && std::is_unsigned_v<E> && std::is_signed_v<T> && sizeof(E) < sizeof(T)));
/// Whether an array of type A may be bound to the input Name of element type T; an error sentence if not. The compiler prints the name.
template<fixed_string Name, class T, class A>
constexpr bool binds() {
    using E = typename element_of<A>::type;
    constexpr bool array = is_array_like<A>(), number = std::is_same_v<E, A>, same = has_same_elements<T, E>(), numbers = is_one_element<E>;
    static_assert(!array || numbers, "xgrad: the array bound to this input has elements that are not numbers; copy nested arrays into one, "
                                     "std::vector<float> all(64 * 784), and bind xgrad::array(all, 64, 784)");
    static_assert(!array || number || same || !numbers,
        "xgrad: the array bound to this input has another element type, and nothing is converted silently; convert it first, "
        "for example into a std::vector of the input's type");
    static_assert(!array || !number || same,
        "xgrad: the number bound to this input does not fit its element type; convert it to that type, as in "
        "static_cast<std::int32_t>(n)");
    return same;
}
}

template<fixed_string Name, MemoryElement Scalar, auto... D>
struct input_type : expression_base {
    using element = Scalar;
    static constexpr int rank = sizeof...(D);
    static constexpr node_info info = detail::leaf_info<op::input>(Name.view(), dtype_of<element>, make_shape<D...>());
    static_assert(detail::are_extents<D...>,
        "xgrad: an extent is neither an integer of at least 0 nor a named dimension; for a size that comes with the call write "
        "inline constexpr xgrad::dim batch{\"batch\"}");

    /// `x = array` binds an array to this input in a call.
    template<class Array>
        requires(!Expr<Array> && !detail::is_view<Array>)
    constexpr auto operator=(Array const& array XGRAD_LIFETIMEBOUND) const {
        if constexpr (detail::binds<Name, element, Array>()) return binding<input_type, Array const&>{array};
        else return binding<input_type, detail::no_array>{};
    }
    template<class Array>
        requires(!Expr<Array> && (!std::is_lvalue_reference_v<Array> || detail::is_view<std::remove_cvref_t<Array>>) &&
                 !detail::becomes<element, std::remove_cvref_t<Array>, rank>)
    constexpr auto operator=(Array&& array) const {
        using held = std::remove_cvref_t<Array>;
        static_assert(!std::is_array_v<held>,
            "xgrad: the bound C array has no name, and a binding cannot hold it; give it a name, or bind a std::array");
        static_assert(!detail::RefOfEigen<held>,
            "xgrad: the bound Eigen::Ref has no name, and may hold a copy that no binding can keep; give it a name");
        if constexpr (!std::is_array_v<held> && detail::binds<Name, element, held>())
            return binding<input_type, held>{std::forward<Array>(array)};
        else return binding<input_type, detail::no_array>{};
    }
    template<class E>   // catches y = {1, 2}
    constexpr auto operator=(std::initializer_list<E>) const {
        static_assert(
            detail::never<E>, "xgrad: numbers in braces are bound to an input, and end before the call; write y = std::array{1.0f, 2.0f}");
        return binding<input_type, detail::no_array>{};
    }
    template<class E>   // catches x = {{1, 2}, {3, 4}}
    constexpr auto operator=(std::initializer_list<std::initializer_list<E>>) const {
        return *this = std::initializer_list<E>{};
    }
    /// A number of another type for an input of rank 0: `rate = 0.5`.
    template<class E>
        requires(detail::becomes<element, E, rank>)
    constexpr auto operator=(E number) const {
        return binding<input_type, element>{static_cast<element>(number)};
    }
    template<Expr E>
    constexpr auto operator=(E const&) const {
        static_assert(!Expr<E>,
            "xgrad: an expression is assigned to an input, which never changes; give the result another name: auto hidden = relu(x)");
        return detail::refused{};
    }
    // at the end, because clang 16 drops the members after a failed assertion
    static_assert(rank <= max_rank, "xgrad: a tensor has more than six extents; join some of its axes into one");
    static_assert(detail::extents_fit<D...>(),
        "xgrad: an extent has more than two products of three factors, or a divisor outside of 1 to 1023; declare another "
        "named dimension for this extent");
};

template<fixed_string Name, MemoryElement Scalar, bool Trainable, auto... D>
struct variable_type : expression_base {
    using element = Scalar;
    static constexpr int rank = sizeof...(D);
    static constexpr bool trainable = Trainable;
    template<class A>
    constexpr auto operator=(A const&) const {
        static_assert(!Expr<A>,
            "xgrad: an expression is assigned to a variable, whose values only steps and train.assign(w, array) change; give the "
            "result another name: auto hidden = relu(x)");
        static_assert(
            Expr<A>, "xgrad: an array is assigned to a variable; write train.assign(w, array), and bind arrays to inputs: f(x = array)");
        return detail::refused{};
    }
    static constexpr node_info info = detail::leaf_info<op::variable>(
        Name.view(), dtype_of<element>, make_shape<D...>(), words_of<variable_attributes{Trainable}>.view());
    // at the end, because clang 16 drops the members after a failed assertion
    static_assert(detail::are_extents<D...>,
        "xgrad: an extent is neither an integer of at least 0 nor a named dimension; for a size that comes with the call write "
        "inline constexpr xgrad::dim batch{\"batch\"}");
    static_assert(rank <= max_rank, "xgrad: a tensor has more than six extents; join some of its axes into one");
    static_assert(detail::extents_fit<D...>(),
        "xgrad: an extent has more than two products of three factors, or a divisor outside of 1 to 1023; declare another "
        "named dimension for this extent");
};

namespace detail {
/// How a variable begins: the form, and the bits of a float.
struct start_value {
    start_form form;
    std::uint32_t bits;
};
/// A variable of a layer that begins as `Start` says. An initializer for all variables leaves it there.
template<start_value Start, fixed_string Name, MemoryElement Scalar, bool Trainable, auto... D>
struct started_variable : variable_type<Name, Scalar, Trainable, D...> {
    using variable_type<Name, Scalar, Trainable, D...>::operator=;
    static constexpr node_info info = leaf_info<op::variable>(
        Name.view(), dtype_of<Scalar>, make_shape<D...>(), words_of<variable_attributes{Trainable, Start.form, Start.bits}>.view());
};
/// The number that started_variable takes.
constexpr start_value start_at(float number, start_form form = start_form::number) { return {form, std::bit_cast<std::uint32_t>(number)}; }

template<class T>
inline constexpr bool is_variable = false;
template<fixed_string Name, MemoryElement T, bool Trainable, auto... D>
inline constexpr bool is_variable<variable_type<Name, T, Trainable, D...>> = true;
template<start_value Start, fixed_string Name, MemoryElement T, bool Trainable, auto... D>
inline constexpr bool is_variable<started_variable<Start, Name, T, Trainable, D...>> = true;

template<class T>
struct checked_element {
    static_assert(never<T>,
        "xgrad: an element type is none of float, double, bool, bfloat16, float16 and the integers of <cstdint>, such as "
        "std::uint8_t; convert the elements before the call");
    using type = float;
};
template<MemoryElement T>
struct checked_element<T> {
    using type = T;
};
}

/// An extent as the types of inputs and variables have it: a named dimension, or std::int64_t for 784, 784u and 784L. So an input of one
/// name and shape has one type: `input<"x", float, 784>` is an `input_type<"x", float, extent_argument(784)>`.
template<class D>
constexpr auto extent_argument(D const& d) {
    if constexpr (std::is_integral_v<D>) return static_cast<std::int64_t>(d);
    else return d;
}
/// T, which must be an element type. For another one there is an error sentence, and it is float.
template<class T>
using element_argument = typename detail::checked_element<T>::type;

/// An input: `input<"x", float, batch, 784>`. Extents are integers or named dimensions. Rank 0 is a named scalar.
template<fixed_string Name, class T, auto... D>
inline constexpr input_type<Name, element_argument<T>, extent_argument(D)...> input{};

/// A trainable variable: `variable<"w", float, 784, 128>`. The sizes of named dimensions are given with the owner:
/// `minimize(loss, rule, features = 300)`.
template<fixed_string Name, class T, auto... D>
inline constexpr variable_type<Name, element_argument<T>, true, extent_argument(D)...> variable{};

/// A variable that minimize() does not update unless it is named (running averages, frozen weights).
template<fixed_string Name, class T, auto... D>
inline constexpr variable_type<Name, element_argument<T>, false, extent_argument(D)...> non_trainable{};

/// The name "A/B", that of a variable "B" in the scope "A": `scope<"encoder">::variable<"w", float, 3>` has
/// join_names<"encoder", "w">().
template<fixed_string A, fixed_string B>
constexpr auto join_names() {
    constexpr std::size_t n = sizeof(A.text) + sizeof(B.text);
    char s[n]{};
    std::size_t k = 0;
    for (std::size_t i = 0; i + 1 < sizeof(A.text); ++i) s[k++] = A.text[i];
    s[k++] = '/';
    for (std::size_t i = 0; i + 1 < sizeof(B.text); ++i) s[k++] = B.text[i];
    return fixed_string<n>(s);
}
namespace detail {
template<fixed_string Name, unsigned Number>
constexpr auto join_number() {
    constexpr std::size_t digits = [] {
        std::size_t n = 1;
        for (unsigned k = Number; k >= 10; k /= 10) ++n;
        return n;
    }();
    constexpr std::size_t length = Name.view().size();
    char s[length + digits + 1]{};
    for (std::size_t i = 0; i < length; ++i) s[i] = Name.text[i];
    unsigned rest = Number;
    for (std::size_t i = length + digits; i-- > length; rest /= 10) s[i] = static_cast<char>('0' + rest % 10);
    return fixed_string<length + digits + 1>(s);
}
}
/// Names with numbers, for layers made in a loop over types: `numbered<"layer", 3>` is the name "layer3".
template<fixed_string Name, unsigned Number>
inline constexpr auto numbered = detail::join_number<Name, Number>();
/// Prefixes names: `scope<"encoder">::variable<"w", float, 3>` is the variable "encoder/w".
template<fixed_string Prefix>
struct scope {
    template<fixed_string Name, class T, auto... D>
    static constexpr variable_type<join_names<Prefix, Name>(), element_argument<T>, true, extent_argument(D)...> variable{};
    template<fixed_string Name, class T, auto... D>
    static constexpr variable_type<join_names<Prefix, Name>(), element_argument<T>, false, extent_argument(D)...> non_trainable{};
    template<fixed_string Name, class T, auto... D>
    static constexpr input_type<join_names<Prefix, Name>(), element_argument<T>, extent_argument(D)...> input{};
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
