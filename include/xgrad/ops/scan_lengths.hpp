// SPDX-License-Identifier: MIT
// Loops whose rows have different numbers of iterations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/scan_body.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Which rows have not ended, in each iteration: bool of shape [length, rows]. Attributes: the length.
struct running_rows : composite_op {
    static constexpr std::string_view name = "running_rows";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        return {dtype::boolean, {2, {a.extents[0], v[0].dims.extents[0]}}, fault::none};
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        return apply<less>(apply_with<expand_dims>({-1}, positions(x[0], a.extents[0])), x[0]);
    }
};
/// The largest of the lengths; of no rows 0. If one is negative, the smallest: then the loop reports it.
struct iterations_of_rows : composite_op {
    static constexpr std::string_view name = "iterations_of_rows";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&) { return {v[0].type, {}, fault::none}; }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int, xgrad::attributes const&) {
        axis_set rows{};
        rows.add(0);
        symbol const zero = t.constant(0, t.info(x[0]).type), minus_one = t.constant(-1, t.info(x[0]).type);
        symbol const largest = apply_with<max>({rows, false}, x[0]);
        symbol const smallest = minus_one - apply_with<max>({rows, false}, minus_one - x[0]);   // -x would overflow
        return xgrad::select(xgrad::less(smallest, zero), smallest, xgrad::maximum(largest, zero));
    }
};
}

namespace detail {
template<class N, int Axis>
constexpr bool has_rows_of(value_info const& v, int skip) {
    return Axis >= 0 && v.dims.rank > Axis + skip && v.dims.extents[Axis + skip] == value_of<N>.dims.extents[0];
}
/// One bool for each row, in a shape that broadcasts to that of a value of this rank with the rows along `Axis`.
template<int Axis, int Rank, class Running>
constexpr auto along_axis(Running const& running) {
    if constexpr (Axis + 1 >= Rank) return running;
    else return along_axis<Axis + 1, Rank>(expand_dims<-1>(running));
}
/// y in the rows that run, x in the others. No product: a NaN of rows that have ended would remain.
template<int Axis, class Running, class Y, class X>
constexpr auto where_running(Running const& running, Y const& y, X const& x) {
    auto const runs = along_axis<Axis, value_of<Y>.dims.rank>(running);
    if constexpr (value_of<Y>.type != dtype::boolean) return select(runs, y, x);
    else if constexpr (value_of<X>.type != dtype::boolean) return logical_and(runs, y);
    else return logical_or(logical_and(runs, y), logical_and(logical_not(runs), x));
}
/// What the body reads in the place of padding. Usual functions and their derivatives are finite at 0.5.
template<class X>
constexpr auto instead_of_padding() {
    using namespace literals;
    if constexpr (is_floating(value_of<X>.type)) return 0.5_c;
    else return 0_c;
}
/// R, with a last row that says which rows of the batch have not ended.
template<class R, int Axis, int Carries>
struct body_of_rows : base_like<R> {
    static constexpr auto value(auto... all) {
        return run(std::tuple{all...}, std::make_index_sequence<Carries>{}, std::make_index_sequence<sizeof...(all) - Carries - 1>{});
    }

private:
    template<class All, std::size_t... C, std::size_t... S>
    static constexpr auto run(All const& all, std::index_sequence<C...>, std::index_sequence<S...>) {
        auto const running = std::get<Carries + sizeof...(S)>(all);
        return ended(running, std::tuple{std::get<C>(all)...}, std::index_sequence<C...>{},
            R::value(std::get<C>(all)...,
                where_running<Axis>(running, std::get<Carries + S>(all), instead_of_padding<std::tuple_element_t<Carries + S, All>>())...));
    }
    template<class Running, class Before, std::size_t... C, class... N, class... Y>
    static constexpr auto ended(
        Running const& running, Before const& before, std::index_sequence<C...>, turn<carry_list<N...>, Y...> const&) {
        using namespace literals;
        return carry(where_running<Axis>(running, N{}, std::get<C>(before))...).emit(where_running<Axis>(running, Y{}, 0_c)...);
    }
    template<class Running, class Before, std::size_t... C, class... N>
    static constexpr auto ended(Running const& running, Before const& before, std::index_sequence<C...> carries, carry_list<N...> const&) {
        return ended(running, before, carries, turn<carry_list<N...>>{});
    }
};
template<class R, int Axis, int Carries>
struct body_of_user<body_of_rows<R, Axis, Carries>> : body_of_user<R> {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
