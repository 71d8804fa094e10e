// SPDX-License-Identifier: MIT
// The body of a loop: its carries and slices, and what it returns, carry(next...).emit(y...).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/captures.hpp>
#include <xgrad/core/leaves.hpp>
#include <xgrad/core/shape.hpp>

XGRAD_NAMESPACE_BEGIN

/// Base of the bodies of loops. Example:
///
///     struct cell : xgrad::region {
///         static constexpr auto value(auto h, auto x) {
///             auto const next = xgrad::tanh(xgrad::matmul(h, w) + x);
///             return xgrad::carry(next).emit(next);
///         }
///     };
///     auto const [last, all] = xgrad::scan<cell>(xgrad::carry(start), sequence);
struct region {};

namespace detail {
/// The return value of a body: the next carries, and the emitted values.
template<class Carries, class... Y>
struct turn {};
template<class... A>
constexpr void refuse_in_loop() {
    constexpr bool symbols = (Symbol<A> || ...);
    static_assert(!symbols,
        "xgrad: value(...) of a loop's body takes symbols, but it gets expressions; write static constexpr auto value(auto carry, auto row)");
    static_assert((Expr<A> && ...) || symbols,
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
};
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

/// A carry or a slice, as an expression in the body of R.
template<class R, bool Slice, int K, Element Scalar, auto... D>
struct body_parameter : expression_base {
    using element = Scalar;
    static constexpr auto name = [] {
        if constexpr (Slice) return join_number<"slice.", K>();
        else return join_number<"carry.", K>();
    }();
    static constexpr node_info info =
        leaf_info<op::input>(name.view(), dtype_of<element>, shape{static_cast<int>(sizeof...(D)), {extent_of_argument<D>()...}});
};
template<class E, int Axis>
constexpr auto extent_argument() {
    constexpr extent e = value_of<E>.dims.extents[Axis];
    if constexpr (e.count == 0) return e.constant;
    else if constexpr (e == named_extent(e.terms[0].dims[0])) return e.terms[0].dims[0];
    else return e;
}
template<class R, bool Slice, int K, class E>
constexpr auto make_parameter() {
    constexpr int skip = Slice ? 1 : 0;
    return []<int... A>(std::integer_sequence<int, A...>) {
        return body_parameter<R, Slice, K, cpp_type_t<value_of<E>.type>, extent_argument<E, A + skip>()...>{};
    }(std::make_integer_sequence<int, value_of<E>.dims.rank - skip>{});
}

/// The data of one call of scan.
template<class R, class Carries, class Slices, auto... Length>
struct scan_call;
template<class R, class... C, class... S, auto... Length>
struct scan_call<R, carry_list<C...>, carry_list<S...>, Length...> {
    static constexpr int carries = sizeof...(C), slices = sizeof...(S);
    template<int... I, int... K>
    static constexpr auto run(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>) {
        if constexpr (requires { R::value(make_parameter<R, false, I, C>()..., make_parameter<R, true, K, S>()...); })
            return R::value(make_parameter<R, false, I, C>()..., make_parameter<R, true, K, S>()...);
    }
    template<int... I, int... K>
    static constexpr node_list<carries + slices> find_parameters(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>) {
        return {{info_of<decltype(make_parameter<R, false, I, C>())>..., info_of<decltype(make_parameter<R, true, K, S>())>...}};
    }
    using carry_numbers = std::make_integer_sequence<int, carries>;
    using slice_numbers = std::make_integer_sequence<int, slices>;
    using body = decltype(run(carry_numbers{}, slice_numbers{}));

    static constexpr extent length() {
        if constexpr (sizeof...(Length) > 0) return make_shape<Length...>().extents[0];
        else if constexpr (slices > 0) {
            extent const first[]{value_of<S>.dims.extents[0]...};
            return first[0];
        } else return {};
    }
};

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
