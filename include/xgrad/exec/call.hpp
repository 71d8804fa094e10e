// SPDX-License-Identifier: MIT
// The arguments of a call, `f(x = images, y = labels)`, are matched to the inputs of a program. Everything that types
// show is checked at compile time.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/shape_names.hpp>
#include <xgrad/compile/program.hpp>
#include <xgrad/run/runner.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class T>
inline constexpr bool is_binding = false;
template<class I, class A>
inline constexpr bool is_binding<binding<I, A>> = true;

/// Arrays for input names that are known only at run time (exec/named_arrays.hpp).
template<class B>
concept BindsByName = requires(B const& b, runtime_plan const& plan, array_ref* refs, std::uint64_t* given) { b.bind(plan, refs, given); };

template<class B>
inline constexpr std::uint64_t bound_name = B::input::info.attrs.name_hash;

/// The name of the first input that no argument binds; empty if all are bound.
template<class P, class... B>
consteval std::string_view first_unbound() {
    for (int i = 0; i < P::plan.input_count; ++i) {
        auto const& node = P::table.nodes[P::plan.inputs[i]];
        [[maybe_unused]] auto const& input = P::table.attrs[node.attrs];
        if (node.op->values == nullptr && !((bound_name<B> == input.name_hash) || ...)) return input.name;
    }
    return {};
}
// The name is a template argument, so the compiler's message shows it.
template<fixed_string Name>
constexpr void missing_input() {
    static_assert(sizeof(Name) == 0,
        "xgrad: an input of this expression is not bound in the call: missing_input<...> names it; bind each input of the "
        "expression, for gradients also those of y: f(x = array)");
}
template<fixed_string Name>
constexpr void bound_twice() {
    static_assert(sizeof(Name) == 0, "xgrad: an input is bound twice in this call: bound_twice<...> names it; bind it once");
}
template<fixed_string Name>
constexpr void unused_input() {
    static_assert(sizeof(Name) == 0,
        "xgrad: this call binds an input that the expression does not use: unused_input<...> names it; remove it from the call");
}
/// The name of the first input that two arguments bind; empty if each binds another one.
template<class... B>
consteval std::string_view first_bound_twice() {
    std::uint64_t const hashes[]{bound_name<B>..., 0};
    std::string_view const names[]{B::input::info.attrs.name..., {}};
    for (std::size_t i = 0; i < sizeof...(B); ++i)
        for (std::size_t k = i + 1; k < sizeof...(B); ++k)
            if (hashes[i] == hashes[k]) return names[i];
    return {};
}

template<class R>
constexpr auto refuse_braces() {
    static_assert(!std::is_void_v<R>, "xgrad: the arguments of a call are in braces; write them without braces: f(x = array, y = other)");
    return 0.0f;
}

template<class... B>
constexpr void check_names_known() {
    static_assert(!(BindsByName<B> || ...),
        "xgrad: try_step or try_call gets arrays by name, which may throw when they are bound; bind the inputs, x = array, or "
        "call without try");
}

template<class P>
consteval bool reads_constant_arrays() {
    for (int i = 0; i < P::plan.input_count; ++i)
        if (P::table.nodes[P::plan.inputs[i]].op->values != nullptr) return true;
    return false;
}

/// The arrays for the inputs of program P, in the order of the program.
template<class P>
struct arguments {
    static constexpr int count = P::plan.input_count > 0 ? P::plan.input_count : 1;
    array_ref refs[count];
    std::uint64_t given[count]{};

    template<class... B>
    explicit arguments(B const&... b) {
        static_assert(!(std::is_same_v<B, dim_size> || ...),
            "xgrad: a call is given the size of a named dimension, which it takes from its arrays; remove batch = 64, or write "
            "reserve(batch = 64) before the call");
        static_assert(((is_binding<B> || was_refused<B> || BindsByName<B> || std::is_same_v<B, dim_size>)&&...),
            "xgrad: an argument of this call is not bound to an input; write f(x = array)");
        if constexpr (reads_constant_arrays<P>()) bind_constant_arrays();
        if constexpr ((BindsByName<B> || ...)) {
            if constexpr (!requires { P::refused; }) (bind(b), ...);
        } else if constexpr ((is_binding<B> && ...) && !requires { P::refused; }) {
            if constexpr (!first_unbound<P, B...>().empty()) missing_input<make_text([] { return first_unbound<P, B...>(); })>();
            if constexpr (!first_bound_twice<B...>().empty()) bound_twice<make_text([] { return first_bound_twice<B...>(); })>();
            (bind(b), ...);
        }
    }
    void bind_constant_arrays() {
        for (int i = 0; i < P::plan.input_count; ++i) {
            auto const& leaf = P::runtime.inputs[i];
            if (leaf.values == nullptr) continue;
            refs[i] = {leaf.values, leaf.rank, {}, true};
            for (int d = 0; d < leaf.rank; ++d) refs[i].extents[d] = P::runtime.polynomials[leaf.extents[d]].constant;
            given[i] = 1;
        }
    }
    template<BindsByName B>
    void bind(B const& b) {
        b.bind(P::runtime.view(), refs, given);
    }
    template<class I, class A>
    void bind(binding<I, A> const& b) {
        constexpr int at = P::input_index(bound_name<binding<I, A>>);
        if constexpr (at < 0) unused_input<make_text([] { return I::info.attrs.name; })>();
        if constexpr (at >= 0 && !std::is_same_v<A, no_array>) {
            refs[at] = refer_to(b.array);
            given[at] = 1;
        }
    }
};

template<class P, int K>
auto output_of(runner& r) {
    constexpr auto const& o = P::runtime.output_shapes[K];
    using T = cpp_type_t<o.type>;
    T const* first = static_cast<T const*>(r.output(K));
    if constexpr (o.rank == 0) return *first;
    else {
        std::array<std::int64_t, o.rank> shape{};
        for (int d = 0; d < o.rank; ++d) shape[static_cast<std::size_t>(d)] = r.output_extent(K, d);
        return tensor_view<T const, o.rank>(first, shape);
    }
}
template<class P, std::size_t... K>
auto outputs_of(runner& r, std::index_sequence<K...>) {
    if constexpr (sizeof...(K) == 0) (void)r;
    else if constexpr (sizeof...(K) == 1) return output_of<P, 0>(r);
    else return std::tuple<decltype(output_of<P, static_cast<int>(K)>(r))...>(output_of<P, static_cast<int>(K)>(r)...);
}
/// Results that own their memory: a copy of each view.
template<class R>
auto own(R const& r) {
    return r;
}
template<class T, int Rank>
auto own(tensor_view<T const, Rank> const& r) {
    return tensor<T, Rank>(r);
}
template<class... R>
auto own(std::tuple<R...> const& r) {
    return std::apply([](auto const&... part) { return std::tuple(detail::own(part)...); }, r);
}
/// The results of a call: a number for rank 0, otherwise a view of the arena. Several outputs are a tuple.
template<class P>
auto results(runner& r) {
    return outputs_of<P>(r, std::make_index_sequence<static_cast<std::size_t>(P::outputs::count)>{});
}

}
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
