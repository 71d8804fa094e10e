// SPDX-License-Identifier: MIT
// initial(how, v...): an initializer or an array for single variables, as an argument of initialize and grow.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>
#include <xgrad/store/initializers.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

/// An initializer, such as glorot_uniform: initialize and grow draw the values of variables from its law.
template<class T>
concept Initializer = requires(T const& t) {
    { t.law() } -> std::same_as<initial_law>;
};

namespace detail {
/// `How` is a reference if the array has a name.
template<class How, class... V>
struct [[nodiscard("initial(how, v...) is an argument of train.initialize(...); alone it sets nothing")]] initial_group {
    How how;
};
struct refused_initial {};   // an argument that was refused already
template<class T>
inline constexpr bool is_initial_group = std::is_same_v<T, refused_initial>;
template<class How, class... V>
inline constexpr bool is_initial_group<initial_group<How, V...>> = true;

/// Whether an argument of grow can give single elements.
template<class T>
inline constexpr bool gives_elements = !std::is_same_v<T, orthogonal>;
template<class How, class... V>
inline constexpr bool gives_elements<initial_group<How, V...>> =
    Initializer<std::remove_cvref_t<How>> && gives_elements<std::remove_cvref_t<How>>;

template<class T>
struct initial_names {
    static constexpr int count = 0;
    static constexpr std::uint64_t at[1]{};
    static constexpr std::string_view text[1]{};
};
template<class How, class... V>
struct initial_names<initial_group<How, V...>> {
    static constexpr int count = sizeof...(V);
    static constexpr std::uint64_t at[sizeof...(V)]{V::info.attrs.name_hash...};
    static constexpr std::string_view text[sizeof...(V)]{V::info.attrs.name...};
};
/// The first variable that is named twice; empty if all are right.
template<class... G>
consteval std::string_view first_named_twice_in() {
    std::uint64_t all[(initial_names<G>::count + ... + 1)]{};
    int n = 0;
    std::string_view twice;
    auto const add = [&](std::uint64_t const* hashes, std::string_view const* names, int count) {
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < n; ++k)
                if (twice.empty() && all[k] == hashes[i]) twice = names[i];
            all[n++] = hashes[i];
        }
    };
    (add(initial_names<G>::at, initial_names<G>::text, initial_names<G>::count), ...);
    return twice;
}
template<fixed_string Name>
constexpr void variable_named_twice() {
    static_assert(sizeof(Name) == 0,
        "xgrad::initial(how, v...): a variable is named twice, but has one start value: variable_named_twice<...> names it; "
        "remove it from one of them");
}
template<class... G>
consteval bool is_named_once() {
    constexpr bool once = first_named_twice_in<G...>().empty();
    if constexpr (!once) variable_named_twice<make_text([] { return first_named_twice_in<G...>(); })>();
    return once;
}

/// The start value of a variable: a law, or an array of this type.
struct chosen_initial {
    stored_variable const* variable;
    initial_law law;
    bool given;
    array_ref array;
    dtype type;
};
template<class How>
chosen_initial chosen_of(How const& how, stored_variable const& v) {
    if constexpr (Initializer<How>) return {&v, how.law(), false, {}, {}};
    else return {&v, {}, true, refer_to(how), dtype_of<typename element_of<How>::type>};
}
template<class How, class V>
consteval bool begins() {
    static_assert(is_variable<V> || was_refused<V>, "xgrad::initial(how, v...): a v is not a variable; give variables only");
    if constexpr (!is_variable<V>) return false;
    else if constexpr (Initializer<How>) {
        constexpr bool drawn = !How{}.law().random() || has_gradient(dtype_of<typename V::element>);
        constexpr bool matrix = !std::is_same_v<How, identity_initializer> || V::rank == 2;
        constexpr bool axes = !std::is_same_v<How, orthogonal> || V::rank >= 2;
        static_assert(drawn, "xgrad::initial(how, v...): random numbers are given to a variable of integers or truth values; write "
                             "constant_initializer or an array");
        static_assert(matrix,
            "xgrad::initial(how, v...): identity_initializer is given to a variable that is not a matrix; give variables of two "
            "axes");
        static_assert(
            axes, "xgrad::initial(how, v...): orthogonal is given to a variable of fewer than two axes; write another initializer");
        return drawn && matrix && axes;
    } else if constexpr (
        requires { &How::operator(); } && !requires(How const& how) { how.data(); }) {
        static_assert(!std::is_class_v<How>,
            "xgrad::initial(how, v...): how is a function, not an initializer; write the values into an array of the variable's "
            "shape: initial(array, w)");
        return false;
    } else if constexpr (is_array_like<How>()) {
        using given = typename element_of<How>::type;
        constexpr bool same_type =
            std::is_same_v<given, typename V::element> || (std::is_same_v<given, float> && is_half_type<typename V::element>);
        static_assert(same_type,
            "xgrad::initial(array, v...): the array has another element type than the variable; convert it first; bfloat16 and "
            "float16 also take float");
        return same_type;
    } else return false;
}
}

/// The start values of the variables v, for `initialize` and `grow`: an initializer or an array of their shape. The
/// initializer sets vectors and numbers too: `initial(glorot_uniform{}, bias)` gives ±√(3 / length), TensorFlow's rule.
template<class How, Expr... V>
    requires(sizeof...(V) > 0)
constexpr auto initial(How&& how XGRAD_LIFETIMEBOUND, V const&...) {
    if constexpr ((detail::begins<std::remove_cvref_t<How>, V>() && ...)) return detail::initial_group<How, V...>{std::forward<How>(how)};
    else return detail::refused_initial{};
}
template<Expr V, class How>   // catches initial(v, how)
    requires(!Expr<How>)
constexpr auto initial(V const&, How const&) {
    static_assert(sizeof(How) == 0,
        "xgrad::initial(how, v...): a variable is the first argument; write the initializer or the array first, then variables");
    return detail::refused_initial{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
