// SPDX-License-Identifier: MIT
// Recurrent layers: outputs, last states and gradients of Keras, PyTorch and JAX, with rows of different lengths.
#include <support/reference.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace {
namespace xg = xgrad;
namespace nn = xgrad::nn;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr std::size_t rows = 3, turns = 5;
constexpr auto x = xg::input<"x", double, batch, steps, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto start0 = xg::input<"start0", double, batch, 3>;
constexpr auto start1 = xg::input<"start1", double, batch, 3>;

std::map<std::string, std::vector<double>> const& reference() {
    static auto const r = test::read_reference("recurrent.txt");
    return r;
}
std::vector<double> const& numbers(std::string const& name) {
    REQUIRE_MESSAGE(reference().count(name) == 1, name);
    return reference().at(name);
}
void check_equal(std::string const& name, auto const& found) {
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
/// `starts`: inputs; `more`: further bindings.
template<class Y, class... S, class... I, class... V>
void check_case(std::string const& name, Y y, std::tuple<S...> states, std::tuple<I...> starts, std::tuple<V...> variables,
    auto const&... more) {
    constexpr auto weights = weights_of<"g">(Y{});
    auto const loss = [&] {
        auto const of_outputs = xg::sum(y * weights);
        if constexpr (sizeof...(S) == 0) return of_outputs;
        else if constexpr (sizeof...(S) == 1)
            return of_outputs + xg::sum(std::get<0>(states) * weights_of<"gs0">(std::get<0>(states)));
        else
            return of_outputs + xg::sum(std::get<0>(states) * weights_of<"gs0">(std::get<0>(states))) +
                   xg::sum(std::get<1>(states) * weights_of<"gs1">(std::get<1>(states)));
    }();
    auto const slopes = xg::gradients(loss, x, I{}..., V{}...);
    auto const all = std::tuple_cat(std::tuple{y}, states, slopes);
    xg::variables owner{y};
    int k = 0;
    (assign(owner, V{}, numbers(name + ".v" + std::to_string(k++))), ...);
    xg::function f{std::apply([](auto... e) { return xg::outputs(e...); }, all), owner};
    auto const results = [&] {
        auto const start = [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple{bound(std::get<K>(starts), numbers(name + ".start" + std::to_string(K)))...};
        }(std::make_index_sequence<sizeof...(I)>{});
        auto const last = [&]<std::size_t... K>(std::index_sequence<K...>) {
            constexpr std::tuple inputs{weights_of<"gs0">(std::get<0>(std::tuple<S..., Y>{})), weights_of<"gs1">(std::get<sizeof...(S) == 2>(std::tuple<S..., Y>{}))};
            return std::tuple{bound(std::get<K>(inputs), numbers(name + ".gs" + std::to_string(K)))...};
        }(std::make_index_sequence<sizeof...(S)>{});
        return std::apply(
            [&](auto const&... binding) { return f(bound(x, numbers(name + ".x")), bound(weights, numbers(name + ".g")), binding..., more...); },
            std::tuple_cat(start, last));
    }();
    check_equal(name + ".y", std::get<0>(results));
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (check_equal(name + ".state" + std::to_string(K), std::get<1 + K>(results)), ...);
    }(std::make_index_sequence<sizeof...(S)>{});
    check_equal(name + ".dx", std::get<1 + sizeof...(S)>(results));
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (check_equal(name + ".dstart" + std::to_string(K), std::get<2 + sizeof...(S) + K>(results)), ...);
    }(std::make_index_sequence<sizeof...(I)>{});
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (check_equal(name + ".d" + std::to_string(K), std::get<2 + sizeof...(S) + sizeof...(I) + K>(results)), ...);
    }(std::make_index_sequence<sizeof...(V)>{});
}
std::vector<std::int32_t> const lengths{5, 2, 0};
}   // namespace

TEST_CASE("an lstm is that of Keras, with lengths, start states and last states") {
    constexpr auto layer = nn::lstm<"lstm", 3>(x, nn::return_sequences, nn::lengths(n), nn::initial_state(start0, start1));
    check_case("lstm", layer, layer.state(), std::tuple{start0, start1}, std::tuple{layer.w, layer.u, layer.b}, n = lengths);
}
