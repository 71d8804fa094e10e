// SPDX-License-Identifier: MIT
// What the body of a loop returns: carry(next...).emit(y...).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/bodies.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The return value of a body: the next carries, and the emitted values.
template<class Carries, class... Y>
struct turn {};
template<class N, class... C>
struct counted_carries;
template<class N>
constexpr bool is_count() {
    if constexpr (!Expr<N>) return false;
    else return value_of<N>.wrong != fault::none || (value_of<N>.dims.rank == 0 && is_integer(value_of<N>.type));
}
/// The number of iterations of each row, along this axis of the carries.
template<class N, int Axis>
struct row_lengths {};
template<class N>
constexpr bool is_count_of_rows() {
    if constexpr (!Expr<N>) return false;
    else return value_of<N>.wrong != fault::none || (value_of<N>.dims.rank == 1 && is_integer(value_of<N>.type));
}
template<class... A>
constexpr void refuse_in_loop() {
    constexpr bool symbols = (Symbol<A> || ...);
    static_assert(!symbols,
        "xgrad: value(...) of a loop's body takes symbols, but it gets expressions; write static constexpr auto value(auto carry, auto row)");
    refuse_complex<A...>();
    static_assert((Expr<A> && ...) || symbols || (Complex<A> || ...),
        "xgrad: carry(...) or emit(...) of a loop gets something that is not an expression; write cast<float>(0.5_c) for a "
        "number, and the elements of a tuple one by one");
}
}

/// The result of carry(c...): start values of a loop, or the next values in its body.
template<class... C>
struct carry_list {
    template<Expr... Y>
    constexpr auto emit(Y const&...) const {
        return detail::turn<carry_list, Y...>{};
    }
    template<class... Y>
        requires(!(Expr<Y> && ...))
    constexpr auto emit(Y const&...) const {
        detail::refuse_in_loop<Y...>();
        return detail::turn<carry_list, std::conditional_t<Expr<Y>, Y, detail::refused>...>{};
    }
    /// The number of iterations of scan, an integer of rank 0, of at least 0 and at most the length of the sequences.
    template<class N>
    constexpr auto turns(N const&) const {
        constexpr bool number = detail::is_count<N>();
        static_assert(number,
            "xgrad: carry(start...).turns(n): n is not an expression of an integer type and rank 0; write cast<std::int32_t>(n), or for a "
            "number scan<body, 10>(carry(start))");
        if constexpr (!number) return carry_list{};
        else return detail::counted_carries<decltype(detail::as_index(N{})), C...>{};
    }
    template<class... N>
        requires(sizeof...(N) != 1)
    constexpr auto turns(N const&...) const {
        static_assert(sizeof...(N) == 1,
            "xgrad: carry(start...).turns(n): n is missing, or there are several; write one number of iterations, an integer of rank 0");
        return carry_list{};
    }
    /// The number of iterations of each row: integers of shape [rows]. The rows are along `Axis` of the carries, of the rows
    /// of sequences, and of emitted values.
    template<int Axis = 0, class N>
    constexpr auto lengths(N const&) const {
        constexpr bool numbers = detail::is_count_of_rows<N>();
        static_assert(numbers,
            "xgrad: carry(start...).lengths(n): n is not an expression of an integer type and rank 1; write input<\"n\", std::int32_t, "
            "batch>, or .turns(n) for one number of iterations");
        if constexpr (!numbers) return carry_list{};
        else return detail::counted_carries<detail::row_lengths<decltype(detail::as_index(N{})), Axis>, C...>{};
    }
    template<int Axis = 0, class... N>
        requires(sizeof...(N) != 1)
    constexpr auto lengths(N const&...) const {
        static_assert(sizeof...(N) == 1,
            "xgrad: carry(start...).lengths(n): n is missing, or there are several; write one expression, an integer for each row");
        return carry_list{};
    }
};
namespace detail {
template<class A>
constexpr void refuse_two_counts() {
    static_assert(never<A>,
        "xgrad: carry(start...).lengths(n) and .turns(n): the number of iterations is given twice; write lengths alone, which stops at the "
        "longest row");
}
/// The start values of a loop, and the number of its iterations.
template<class N, class... C>
struct counted_carries {
    template<class... A>
    constexpr auto turns(A const&...) const {
        refuse_two_counts<std::tuple<A...>>();
        return carry_list<C...>{};
    }
    template<int Axis = 0, class... A>
    constexpr auto lengths(A const&...) const {
        refuse_two_counts<std::tuple<A...>>();
        return carry_list<C...>{};
    }
    template<class... Y>
    constexpr auto emit(Y const&...) const {
        static_assert(never<std::tuple<Y...>>,
            "xgrad: carry(...).turns(n).emit(y...): the number of iterations belongs to the start values of scan, and emit to what its body "
            "returns; write them apart");
        return turn<carry_list<C...>>{};
    }
};
}
/// The carries of a loop: outside, their start values; in the body, their next values. In the body, `.emit(y...)` adds
/// values to stack.
template<Expr... C>
constexpr auto carry(C const&...) {
    return carry_list<C...>{};
}
template<class... C>
    requires(!(Expr<C> && ...))
constexpr auto carry(C const&...) {
    detail::refuse_in_loop<C...>();
    return carry_list<std::conditional_t<Expr<C>, C, detail::refused>...>{};
}

namespace detail {

/// The parts of a body's return value.
template<class Body>
struct turn_parts {
    static constexpr bool good = false;
};
template<class... N, class... Y>
struct turn_parts<turn<carry_list<N...>, Y...>> {
    static constexpr bool good = true;
    static constexpr int carries = sizeof...(N), emitted = sizeof...(Y);
    static constexpr node_list<carries + emitted> results{{info_of<N>..., info_of<Y>...}};
};
template<class... N>
struct turn_parts<carry_list<N...>> : turn_parts<turn<carry_list<N...>>> {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
