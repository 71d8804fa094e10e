// SPDX-License-Identifier: MIT
// Loops that keep their carries only before each segment: a loop over segments, whose body is the loop over one of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/scan_body.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The iterations of each segment, of x in all. Attributes: the number of segments, and their length.
struct turns_of_segments : composite_op {
    static constexpr std::string_view name = "turns_of_segments";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        return {v[0].type, {1, {a.extents[0]}}, fault::none};
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        dtype const type = t.info(x[0]).type;
        symbol const length = t.constant(static_cast<double>(a.extents[1].constant), type);
        symbol const left = x[0] - positions(x[0], a.extents[0]) * length;
        return xgrad::minimum(xgrad::maximum(left, t.constant(0, type)), length);
    }
};
/// The iterations that remain of x after a number of them. Attributes: this number.
struct turns_after : composite_op {
    static constexpr std::string_view name = "turns_after";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) { return {v[0].type, {}, fault::none}; }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const& a) {
        dtype const type = t.info(x[0]).type;
        shape const before{1, {a.extents[0]}};
        axis_set all{};
        all.add(0);
        return xgrad::maximum(x[0] - size_of_axes(t, before, all, type), t.constant(0, type));
    }
};
}

namespace detail {
template<class R, class Turns, auto Length, class... C, class... S>
constexpr auto run_loop(parameter_list<C...>, parameter_list<S...>);   // in scan.hpp

/// Body, as the loop after the whole segments.
template<class Body, extent Before, extent InAll>
struct after_segments : Body {};
template<class Body, extent Before, extent InAll>
struct body_of_user<after_segments<Body, Before, InAll>> : body_of_user<Body> {};
template<class Body, extent Before, extent InAll>
inline constexpr extent turns_before<after_segments<Body, Before, InAll>> = Before;
template<class Body, extent Before, extent InAll>
inline constexpr extent turns_in_all<after_segments<Body, Before, InAll>> = InAll;

/// The loop of Body over one segment. If Counted, the last row is the number of its iterations. InAll: see turns_in_all.
template<class Body, int Length, int Carries, bool Counted, extent InAll>
struct segment : recompute<region> {
    static constexpr auto value(auto... all) {
        constexpr int rows = static_cast<int>(sizeof...(all)) - Carries - Counted;
        return run(std::tuple{all...}, std::make_index_sequence<Carries>{}, std::make_index_sequence<rows>{});
    }

private:
    template<class All, std::size_t... C, std::size_t... S>
    static constexpr auto run(All const&, std::index_sequence<C...>, std::index_sequence<S...>) {
        using carries = parameter_list<std::tuple_element_t<C, All>...>;
        using rows = parameter_list<std::tuple_element_t<Carries + S, All>...>;
        if constexpr (Counted) {
            using turns = std::tuple_element_t<std::tuple_size_v<All> - 1, All>;
            return returned<sizeof...(C)>(run_loop<Body, turns, Length>(carries{}, rows{}));
        } else return returned<sizeof...(C)>(run_loop<Body, void, Length>(carries{}, rows{}));
    }
    template<std::size_t Count, class... Output>
    static constexpr auto returned(std::tuple<Output...> const& all) {
        return [&]<std::size_t... C, std::size_t... Y>(std::index_sequence<C...>, std::index_sequence<Y...>) {
            return carry(std::get<C>(all)...).emit(std::get<Count + Y>(all)...);
        }(std::make_index_sequence<Count>{}, std::make_index_sequence<sizeof...(Output) - Count>{});
    }
};
template<class Body, int Length, int Carries, bool Counted, extent InAll>
struct body_of_user<segment<Body, Length, Carries, Counted, InAll>> : body_of_user<Body> {};
template<class Body, int Length, int Carries, bool Counted, extent InAll>
inline constexpr extent turns_in_all<segment<Body, Length, Carries, Counted, InAll>> = InAll;

/// A loop that only counts to a number of iterations, to report one that is out of range.
template<class Body>
struct counts_turns : region {
    static constexpr auto value(auto n) {
        using namespace literals;
        return carry(n + 1_c);
    }
};
template<class Body>
struct body_of_user<counts_turns<Body>> : body_of_user<Body> {};
template<class Body, auto Length, class N>
constexpr auto checked_turns() {
    if constexpr (std::is_void_v<N>) return parameter_list<>{};
    else {
        using zero = std::remove_const_t<decltype(constant<cpp_type_t<value_of<N>.type>, 0>)>;
        return std::get<0>(run_loop<counts_turns<Body>, N, Length>(parameter_list<zero>{}, parameter_list<>{}));
    }
}

/// How a loop is divided into segments.
template<auto Length, int Every>
struct divided {
    static constexpr extent all = extent_of_argument<Length>(), count = all / Every, whole = count * static_extent(Every),
                            rest = all - whole, with_rest = (all + static_extent(Every - 1)) / Every;
    static constexpr bool good = !all.overflow && !count.overflow && !whole.overflow && !rest.overflow && !with_rest.overflow;
    static constexpr bool is_empty(extent const& e) { return e.is_static() && e.constant == 0; }
    // Nothing is put together from parts that are not there.
    static constexpr bool no_segments = is_empty(count), no_rest = is_empty(rest);
};
constexpr shape in_segments(shape const& s, extent const& count, int length) {
    shape r{s.rank + 1, {count, static_extent(length)}};
    for (int i = 1; i < s.rank && i + 1 < max_rank; ++i) r.extents[i + 1] = s.extents[i];
    return r;
}
constexpr shape without_segments(shape const& s, extent const& whole) {
    shape r{s.rank - 1, {whole}};
    for (int i = 2; i < s.rank; ++i) r.extents[i - 1] = s.extents[i];
    return r;
}
template<class D, int Every, class E>
constexpr auto segments_of(E const& e) {
    constexpr shape s = in_segments(value_of<E>.dims, D::count, Every);
    if constexpr (D::no_rest) return reshaped_to<s>(e);
    else return reshaped_to<s>(apply<op::slice_by<0, 0, D::whole, 1, false>>(e));
}
template<class D, class E>
constexpr auto rest_of(E const& e) {
    return apply<op::slice_by<0, D::whole, D::all, 1, false>>(e);
}
template<class D, class Y>
constexpr auto joined_segments(Y const& y) {
    return reshaped_to<without_segments(value_of<Y>.dims, D::whole)>(y);
}
template<class D, class Y, class Rest>
constexpr auto joined_with(Y const& y, Rest const& rest) {
    return apply<with<op::concat, axis_attributes{0}>>(joined_segments<D>(y), rest);
}

/// The outputs of a loop: those of the segments, which have the rest's carries and the rest's rows at their end.
template<class D, int Carries, class... Whole, class... Rest>
constexpr auto with_rest(std::tuple<Whole...> const& whole, std::tuple<Rest...> const& rest) {
    return [&]<std::size_t... C, std::size_t... Y>(std::index_sequence<C...>, std::index_sequence<Y...>) {
        if constexpr (D::no_rest) return std::tuple{std::get<C>(whole)..., joined_segments<D>(std::get<Carries + Y>(whole))...};
        else return std::tuple{std::get<C>(rest)..., joined_with<D>(std::get<Carries + Y>(whole), std::get<Carries + Y>(rest))...};
    }(std::make_index_sequence<Carries>{}, std::make_index_sequence<sizeof...(Whole) - Carries>{});
}
/// The loop over whole segments, then that over the iterations after them. Turns: the number of iterations, or void.
template<class Body, int Every, class Turns, auto Length, class... C, class... S>
constexpr auto run_segments(parameter_list<C...> start, parameter_list<S...> sequences) {
    using D = divided<Length, Every>;
    if constexpr (D::no_segments) return run_loop<Body, Turns, Length>(start, sequences);
    else {
        constexpr int carries = sizeof...(C);
        constexpr bool counted = !std::is_void_v<Turns>;
        using turns = decltype(checked_turns<Body, Length, Turns>());
        auto const whole = [&] {
            using body = segment<Body, Every, carries, counted, D::with_rest>;
            if constexpr (counted) {
                using of_segments = node<with_shape<op::turns_of_segments, shape{2, {D::count, static_extent(Every)}}>, turns>;
                return run_loop<body, void, D::count>(start, parameter_list<decltype(segments_of<D, Every>(S{}))..., of_segments>{});
            } else return run_loop<body, void, D::count>(start, parameter_list<decltype(segments_of<D, Every>(S{}))...>{});
        }();
        if constexpr (D::no_rest) return with_rest<D, carries>(whole, whole);
        else {
            using body = after_segments<Body, D::whole, D::with_rest * static_extent(Every)>;
            auto const rest = [&]<std::size_t... K>(std::index_sequence<K...>) {
                using before = parameter_list<std::tuple_element_t<K, std::remove_const_t<decltype(whole)>>...>;
                using rows = parameter_list<decltype(rest_of<D>(S{}))...>;
                if constexpr (counted)
                    return run_loop<body, node<with_shape<op::turns_after, shape{1, {D::whole}}>, turns>, D::rest>(before{}, rows{});
                else return run_loop<body, void, D::rest>(before{}, rows{});
            }(std::make_index_sequence<carries>{});
            return with_rest<D, carries>(whole, rest);
        }
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
