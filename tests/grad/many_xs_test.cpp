// SPDX-License-Identifier: MIT
// Gradients and products by more variables than an operation has operands.
#include <support/tensor.hpp>

#include <xgrad/grad/vector_products.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int n = 3, half = 17;

template<int I>
constexpr auto w = xg::variable<xg::numbered<"w", I>, double, n>;
double weight(int i, int j) { return 0.3 * std::sin(1.7 * i + 0.9 * j); }
template<class Owner, int... I>
void set_weights(Owner& v, std::integer_sequence<int, I...>) {
    auto one = [&](auto const& variable, int i) {
        for (int j = 0; j < n; ++j) v.value(variable)(j) = weight(i, j);
    };
    (one(w<I>, I), ...);
}
constexpr auto x = xg::variable<"x", double, n>;

template<int... I>
constexpr auto weights_and_directions(std::integer_sequence<int, I...>) {
    return std::pair{std::tuple{w<I>...}, std::tuple{xg::variable<xg::numbered<"v", I>, double, n>...}};
}
template<int First, int Count>
constexpr auto sum_of_powers() {
    if constexpr (Count == 1) return xg::sum(xg::exp(w<First>) * x);
    else return sum_of_powers<First, Count / 2>() + sum_of_powers<First + Count / 2, Count - Count / 2>();
}
struct powers_of_all : xg::let<powers_of_all> {
    static constexpr auto value() { return sum_of_powers<0, 2 * half>(); }
};
template<int... I>
constexpr auto last_slope(std::integer_sequence<int, I...>) {
    return std::get<sizeof...(I) - 1>(xg::gradients(powers_of_all{}, w<I>...));
}
}

TEST_CASE("gradients by 34 variables, and a Hessian-vector product by 17 of them") {
    constexpr powers_of_all loss;
    constexpr auto pair = weights_and_directions(std::make_integer_sequence<int, half>{});
    constexpr auto products = xg::hvp(loss, pair.first, pair.second);
    constexpr auto slope_of_last = last_slope(std::make_integer_sequence<int, 2 * half>{});
    constexpr auto first_direction = std::get<0>(pair.second);
    constexpr auto last_direction = std::get<half - 1>(pair.second);
    xg::variables v{loss, std::get<0>(products)};
    set_weights(v, std::make_integer_sequence<int, 2 * half>{});
    std::array<double, n> const at{0.3, -0.7, 1.1};
    for (int k = 0; k < n; ++k) {
        v.value(x)(k) = at[static_cast<std::size_t>(k)];
        v.value(first_direction)(k) = k + 1;
        v.value(last_direction)(k) = 2 - k;
    }
    xg::function f{xg::outputs(std::get<0>(products), std::get<half - 1>(products), slope_of_last), v};
    auto const [first, last, slope] = f();
    for (int k = 0; k < n; ++k) {
        double const a = at[static_cast<std::size_t>(k)];
        CHECK(std::abs(first[k] - std::exp(weight(0, k)) * a * (k + 1)) < 1e-13);
        CHECK(std::abs(last[k] - std::exp(weight(half - 1, k)) * a * (2 - k)) < 1e-13);
        CHECK(std::abs(slope[k] - std::exp(weight(2 * half - 1, k)) * a) < 1e-13);
    }
}
