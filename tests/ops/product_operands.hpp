// SPDX-License-Identifier: MIT
// The operands of tests/reference/products.py, and comparisons of products with its numbers.
#pragma once

#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <string>
#include <tuple>

namespace test::product {

inline std::vector<double> const& reference(std::string const& call) {
    static auto const all = read_reference("products.txt");
    static std::vector<double> const none;
    auto const found = all.find(call);
    return found == all.end() ? none : found->second;
}

/// The inputs of the script. Element i of operand k is ((3 i i + 7 i + 5 k) mod 23 − 11) / 8, in whole numbers without the divisor.
template<class T>
struct operands {
    static constexpr auto a = xg::input<"a", T, 2, 3, 5>;
    static constexpr auto b = xg::input<"b", T, 2, 4, 5>;
    static constexpr auto m = xg::input<"m", T, 3, 4>;
    static constexpr auto n = xg::input<"n", T, 4, 5>;
    static constexpr auto s = xg::input<"s", T, 4, 4>;
    static constexpr auto v = xg::input<"v", T, 4>;
    static constexpr auto t = xg::input<"t", T, 3, 3, 4>;
    static constexpr auto h = xg::input<"h", T, 2, 3, 2, 4>;
    static constexpr auto g = xg::input<"g", T, 2, 5, 2, 4>;
    static constexpr auto o = xg::input<"o", T, 2, 1, 3, 5>;
    static constexpr auto p = xg::input<"p", T, 4, 4, 5>;
    static constexpr auto c = xg::input<"c", T, 2, 5>;
    static constexpr auto d = xg::input<"d", T, 2, 4>;
    static constexpr auto e = xg::input<"e", T, 3, 5>;
    static constexpr auto r = xg::input<"r", T, 5, 4, 3>;
    static constexpr auto k = xg::input<"k", T, 3, 3, 3>;
    static constexpr auto x = xg::input<"x", T, 2, 3>;
    static constexpr auto z = xg::input<"z", T, 3>;
};
/// An expression with the name of its line in the file, and the number of its operands.
template<xg::fixed_string Call, int Operands, class E>
struct named_product {
    static constexpr auto call = Call;
    static constexpr int operands = Operands;
    using expression = E;
};
template<xg::fixed_string Call, int Operands, class E>
constexpr auto named(E const&) {
    return named_product<Call, Operands, E>{};
}

template<class T>
tensor<T> numbers_of(char name, std::vector<std::int64_t> shape) {
    auto const k = static_cast<std::int64_t>(std::string("abmnsvthgopcderkxz").find(name));
    tensor<T> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i) {
        std::int64_t const whole = (3 * i * i + 7 * i + 5 * k) % 23 - 11;
        r[i] = std::is_integral_v<T> ? static_cast<T>(whole) : static_cast<T>(static_cast<double>(whole) / 8);
    }
    return r;
}
template<class Input>
auto numbers_of(Input const&) {
    xg::shape const& s = xg::value_of<Input>.dims;
    std::vector<std::int64_t> extents;
    for (int i = 0; i < s.rank; ++i) extents.push_back(s.extents[i].constant);
    return numbers_of<typename Input::element>(Input::info.attrs.name[0], extents);
}
template<class R>
std::vector<double> doubles_of(R const& found) {
    if constexpr (std::is_arithmetic_v<R>) return {static_cast<double>(found)};
    else {
        std::vector<double> r;
        for (auto const x : found) r.push_back(static_cast<double>(x));
        return r;
    }
}
/// The line of the file has the rank, the extents and the numbers.
inline void compare_one(std::string const& call, xg::shape const& s, double scale, std::vector<double> const& found) {
    std::vector<double> const& line = reference(call);
    REQUIRE_MESSAGE(!line.empty(), call);
    REQUIRE_MESSAGE(static_cast<double>(s.rank) == line[0], call);
    std::size_t at = 1;
    for (int i = 0; i < s.rank; ++i) CHECK_MESSAGE(static_cast<double>(s.extents[i].constant) == line[at++], call);
    REQUIRE_MESSAGE(at + found.size() == line.size(), call);
    for (double const x : found) CHECK_MESSAGE(x == line[at++] * scale, call);
}
template<class Product, class R>
void compare_one(R const& found) {
    static constexpr xg::value_info const& value = xg::value_of<typename Product::expression>;
    double const scale = std::is_integral_v<xg::cpp_type_t<value.type>> ? std::pow(8.0, Product::operands) : 1;
    compare_one(std::string(Product::call.view()), value.dims, scale, doubles_of(found));
}
/// Compares products of these inputs, all computed by one function, with the numbers of the file. Whole numbers are equal to those without
/// the divisors.
template<class... P, class... Input>
void compare(std::tuple<P...> const&, Input... x) {
    xg::function f{xg::outputs(typename P::expression{}...)};
    auto const arrays = std::tuple{numbers_of(x)...};
    std::apply(
        [&](auto const&... array) { std::apply([](auto const&... found) { (compare_one<P>(found), ...); }, f((x = array)...)); }, arrays);
}
}   // namespace test::product
