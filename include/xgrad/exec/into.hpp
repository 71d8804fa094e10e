// SPDX-License-Identifier: MIT
// Results in the caller's memory: `f.into(scores)(x = images)`.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/exec/call.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The number of results of program P that are not numbers.
template<class P>
consteval int array_result_count() {
    int count = 0;
    for (int k = 0; k < P::outputs::count; ++k) count += P::runtime.output_shapes[k].rank > 0;
    return count;
}
/// The output of program P that is the result number `n` of them.
template<class P>
consteval int array_result(int n) {
    int k = 0;
    while (P::runtime.output_shapes[k].rank == 0 || n-- > 0) ++k;
    return k;
}
/// Whether `A` can hold a result of elements T; otherwise one error sentence.
template<class T, class A>
consteval bool can_hold_result() {
    using array = std::remove_cvref_t<A>;
    constexpr bool is_number = is_one_element<array>;
    static_assert(!is_number,
        "xgrad: f.into(array): a number is given for a result that has axes; give an array, and read results that are numbers "
        "from the call");
    constexpr bool is_array = is_array_like<array>();
    constexpr bool stays = !is_array || std::is_lvalue_reference_v<A> || is_view<array>;
    static_assert(stays, "xgrad: f.into(array): the array has no name, so the results would end with it; give it one");
    using element = typename element_of<array>::type;
    constexpr bool same = !is_array || is_number || has_same_elements<T, element>();
    static_assert(same,
        "xgrad: f.into(array): the array has another element type than the result, and nothing is converted silently; give an "
        "array of the result's element type");
    constexpr bool writable = [] {
        using given = std::remove_reference_t<A>;
        if constexpr (!is_array || is_number) return true;
        else if constexpr (std::is_array_v<array>) return !std::is_const_v<std::remove_all_extents_t<given>>;
        else if constexpr (Foreign<array>)
            return !std::is_const_v<std::remove_pointer_t<decltype(data_of_foreign(std::declval<given&>()))>>;
        // If the object owns its memory, its constness is that of the elements, whatever data() returns.
        else
            return !std::is_const_v<std::remove_pointer_t<decltype(std::declval<given&>().data())>> &&
                   (is_view<array> || !std::is_const_v<given>);
    }();
    static_assert(writable, "xgrad: f.into(array): the array is constant, or shows constant elements; give one that can be written");
    return is_array && !is_number && stays && same && writable;
}
template<class A>
array_ref memory_for_result(A const& a) {
    array_ref r = refer_to(a);
    if constexpr (!HasShape<A> && !Foreign<A> && !std::is_array_v<A>) r.rank = any_shape;
    return r;
}

/// The results that are numbers: nothing, one number, or a tuple.
template<class P>
auto number_results(runner& r) {
    constexpr int count = P::outputs::count - array_result_count<P>();
    constexpr auto numbers = [] {
        std::array<int, static_cast<std::size_t>(count) + 1> at{};
        for (int k = 0, n = 0; k < P::outputs::count; ++k)
            if (P::runtime.output_shapes[k].rank == 0) at[static_cast<std::size_t>(n++)] = k;
        return at;
    }();
    if constexpr (count == 0) (void)r;
    else if constexpr (count == 1) return output_of<P, numbers[0]>(r);
    else
        return [&]<std::size_t... K>(std::index_sequence<K...>) { return std::tuple(output_of<P, numbers[K]>(r)...); }(
                   std::make_index_sequence<static_cast<std::size_t>(count)>{});
}

}   // namespace detail

/// A function that writes its results to arrays of the caller: `auto fill = f.into(scores)`. It keeps the addresses and
/// extents of the arrays, so the arrays must stay at their place. It refers to the function, or holds it if that is a
/// temporary.
///
/// A call returns the results that are numbers. It throws like a call of the function, and in these cases, before
/// anything is written:
/// * shape_error: an array has another shape than its result. An array without a shape, such as a vector or a span,
///   must have the same number of elements.
/// * binding_error: an array has strides, or shares memory with an input, another array, the variables or the function.
///
/// If an index that the graph computes is out of range, arrays may be partly written.
template<class F>
class [[nodiscard("f.into(array) computes nothing before it is called: f.into(array)(x = a)")]] function_into {
    using P = typename std::remove_reference_t<F>::program_type;
    static constexpr int count = detail::array_result_count<P>();
    F f_;
    array_ref arrays_[count > 0 ? count : 1];

    template<int K>
    void take(auto& array) {
        arrays_[K] = detail::memory_for_result(array);
    }
    template<int... K>
    void take_all(std::integer_sequence<int, K...>, auto&... arrays) {
        (take<K>(arrays), ...);
    }

public:
    template<class... A>
    explicit function_into(F&& f, A&... arrays) : f_(static_cast<F&&>(f)), arrays_{} {
        f_.run_->want_results();
        take_all(std::make_integer_sequence<int, count>{}, arrays...);
    }
    template<class... B>
    auto operator()(B const&... bindings) {
        detail::arguments<P> const a(bindings...);
        if (status const s = f_.start(a, true, arrays_); !s) f_.run_->fail(s);
        return detail::number_results<P>(*f_.run_);
    }
    /// The form for real-time threads, like that of the function.
    template<class... B>
    [[nodiscard]] status try_call(B const&... bindings) noexcept {
        detail::check_names_known<B...>();
        detail::arguments<P> const a(bindings...);
        return f_.start(a, false, arrays_);
    }
    /// The results of the last call that are numbers. Throws binding_error if there was no such call.
    auto numbers() {
        f_.run_->require_call();
        return detail::number_results<P>(*f_.run_);
    }
};

namespace detail {
/// The result of into() after it refused its arrays. Calls of it stay silent.
template<class P>
struct refused_into {
    template<class... B>
    auto operator()(B const&...) const {
        return decltype(number_results<P>(std::declval<runner&>()))();
    }
    template<class... B>
    status try_call(B const&...) const {
        return {};
    }
};
template<class P, class F, class... A>
auto into(F&& f, A&&... arrays) {
    constexpr bool compiled = !requires { P::refused; };   // else an error sentence was printed before
    constexpr bool one_each = compiled && sizeof...(A) == static_cast<std::size_t>(array_result_count<P>());
    static_assert(!compiled || one_each,
        "xgrad: f.into(arrays...): there are more or fewer arrays than results that are not numbers; give one for each of "
        "these, in the order of outputs(...)");
    constexpr bool fits = []<int... K>(std::integer_sequence<int, K...>) {
        if constexpr (one_each) return (can_hold_result<cpp_type_t<P::runtime.output_shapes[array_result<P>(K)].type>, A>() && ...);
        else return false;
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(A))>{});
    if constexpr (fits) return function_into<F>(std::forward<F>(f), arrays...);
    else return refused_into<P>{};
}
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
