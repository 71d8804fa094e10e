// SPDX-License-Identifier: MIT
// A recurrent layer against a case of recurrent.txt: outputs, last states and gradients.
#pragma once
#include <support/message_of.hpp>
#include <support/reference.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace recurrent {
namespace xg = xgrad;
namespace nn = xgrad::nn;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr std::size_t rows = 3, turns = 5;
constexpr auto x = xg::input<"x", double, batch, steps, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto start0 = xg::input<"start0", double, batch, 3>;
constexpr auto start1 = xg::input<"start1", double, batch, 3>;

inline std::map<std::string, std::vector<double>> const& reference() {
    static auto const r = test::read_reference("recurrent.txt");
    return r;
}
inline std::vector<double> const& numbers(std::string const& name) {
    REQUIRE_MESSAGE(reference().count(name) == 1, name);
    return reference().at(name);
}
inline void check_equal(std::string const& name, auto const& found) {
    auto const& wanted = numbers(name);
    REQUIRE_MESSAGE(static_cast<std::size_t>(found.size()) == wanted.size(), name);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK_MESSAGE(std::abs(found[static_cast<std::int64_t>(i)] - wanted[i]) < 1e-8, name, " ", i);
}
/// An input with the shape of an output [batch, ...] of a layer, which weighs it in the loss.
template<xg::fixed_string Name, class Y>
constexpr auto weights_of(Y) {
    constexpr auto const& dims = xg::value_of<Y>.dims;
    if constexpr (dims.rank == 2) return xg::input<Name, double, batch, dims.extents[1].constant>;
    else return xg::input<Name, double, batch, steps, dims.extents[2].constant>;
}
template<class E>
auto bound(E, std::vector<double> const& values) {
    if constexpr (xg::value_of<E>.dims.rank == 2) return E{} = xg::array(values.data(), rows, values.size() / rows);
    else return E{} = xg::array(values.data(), rows, turns, values.size() / rows / turns);
}
template<class V>
void assign(auto& owner, V v, std::vector<double> const& values) {
    constexpr auto const& dims = xg::value_of<V>.dims;
    if constexpr (dims.rank == 1) owner.assign(v, xg::array(values.data(), values.size()));
    else owner.assign(v, xg::array(values.data(), dims.extents[0].constant, dims.extents[1].constant));
}
/// Outputs, last states and gradients against the file. With lengths it is run again with NaN in the place of padding.
template<bool HasLengths, class Y, class... S, class... I, class... V>
void check_case(std::string const& name, Y y, std::tuple<S...> states, std::tuple<I...> starts, std::tuple<V...>,
    std::vector<std::int32_t> const& lengths = {}) {
    constexpr std::size_t of_states = sizeof...(S), of_starts = sizeof...(I);
    constexpr auto weights = weights_of<"g">(Y{});
    constexpr auto state_weights = std::tuple{
        weights_of<"gs0">(std::get<0>(std::tuple<S..., Y>{})), weights_of<"gs1">(std::get<(of_states > 1)>(std::tuple<S..., Y>{}))};
    auto const loss = [&]<std::size_t... K>(std::index_sequence<K...>) {
        return (xg::sum(y * weights) + ... + xg::sum(std::get<K>(states) * std::get<K>(state_weights)));
    }(std::make_index_sequence<of_states>{});
    auto const all = std::tuple_cat(std::tuple{y}, states, xg::gradients(loss, x, I{}..., V{}...));
    xg::variables owner{y};
    int k = 0;
    (assign(owner, V{}, numbers(name + ".v" + std::to_string(k++))), ...);
    xg::function f{std::apply([](auto... e) { return xg::outputs(e...); }, all), owner};
    auto const run = [&](std::vector<double> const& values, std::vector<std::int32_t> const& of_rows) {
        auto const start = [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple{bound(std::get<K>(starts), numbers(name + ".start" + std::to_string(K)))...};
        }(std::make_index_sequence<of_starts>{});
        auto const last = [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple{bound(std::get<K>(state_weights), numbers(name + ".gs" + std::to_string(K)))...};
        }(std::make_index_sequence<of_states>{});
        return std::apply(
            [&](auto const&... more) {
                if constexpr (HasLengths) return f(bound(x, values), bound(weights, numbers(name + ".g")), n = of_rows, more...);
                else return f(bound(x, values), bound(weights, numbers(name + ".g")), more...);
            },
            std::tuple_cat(start, last));
    };
    auto const check = [&]<std::size_t... K>(auto const& results, std::string const& what, std::index_sequence<K...>) {
        (check_equal(name + what + std::to_string(K), results(std::integral_constant<std::size_t, K>{})), ...);
    };
    auto const check_all = [&](auto const& r) {
        check_equal(name + ".y", std::get<0>(r));
        check_equal(name + ".dx", std::get<1 + of_states>(r));
        check([&](auto i) { return std::get<1 + i>(r); }, ".state", std::make_index_sequence<of_states>{});
        check([&](auto i) { return std::get<2 + of_states + i>(r); }, ".dstart", std::make_index_sequence<of_starts>{});
        check([&](auto i) { return std::get<2 + of_states + of_starts + i>(r); }, ".d", std::make_index_sequence<sizeof...(V)>{});
    };
    std::vector<double> values = numbers(name + ".x");
    check_all(run(values, lengths));
    if constexpr (HasLengths) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i / 4 % turns >= static_cast<std::size_t>(lengths[i / 4 / turns])) values[i] = std::nan("");
        check_all(run(values, lengths));
        CHECK_THROWS_AS(run(values, {5, 6, 1}), xg::value_error);
    }
}
template<class Layer>
constexpr auto of(Layer) {
    return std::tuple{Layer::w, Layer::u, Layer::b};
}
inline std::vector<std::int32_t> const lengths{5, 2, 0}, at_least_one{5, 2, 1};
}   // namespace recurrent
