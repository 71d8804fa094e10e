// SPDX-License-Identifier: MIT
// A model (a struct with outputs()) planned and node by node, and the comparison of the two.
#pragma once

#include <support/tensor.hpp>

#include <cmath>
#include <tuple>

namespace test {

template<class Tuple>
struct expressions_of;
template<class... E>
struct expressions_of<std::tuple<E...>> {
    using type = xg::expression_list<E...>;
};
template<class Model>
using outputs_of = typename expressions_of<decltype(Model::outputs())>::type;
template<class Model>
using planned = xg::program<outputs_of<Model>>;
template<class Model>
using plain = xg::program<outputs_of<Model>, xg::no_updates, xg::gating::none, false>;

/// Steps of program P in which a product and its transpose read a matrix together.
template<class P>
constexpr int streams_of() {
    int n = 0;
    for (int s = 0; s < P::plan.step_count; ++s) n += P::plan.steps[s].back_at > 0;
    return n;
}

/// `in = array` in a tuple where program P reads that input, else an empty tuple.
template<class P>
auto bound_if_read(auto in, auto const& array) {
    if constexpr (P::input_index(decltype(in)::info.attrs.name_hash) >= 0) return std::tuple(in = array);
    else return std::tuple<>{};
}
/// The results of f for a tuple of bound inputs, copied.
template<class T>
std::vector<std::vector<T>> results(auto& f, auto const& bound) {
    std::vector<std::vector<T>> copies;
    auto keep = [&](auto const& e) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(e)>>) copies.push_back({e});
        else copies.emplace_back(e.begin(), e.end());
    };
    auto const r = std::apply([&](auto const&... b) { return f(b...); }, bound);
    std::apply([&](auto const&... e) { (keep(e), ...); }, r);
    return copies;
}
/// Within 4 ULP of the largest element of each result for each of `operations`; NaN and infinities in the same places.
template<class T>
void check_close(std::vector<std::vector<T>> const& found, std::vector<std::vector<T>> const& expected, int operations) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        CAPTURE(k);
        REQUIRE(found[k].size() == expected[k].size());
        double scale = 0, worst = 0;
        for (T e : expected[k])
            if (std::isfinite(e)) scale = std::max(scale, std::abs(static_cast<double>(e)));
        for (std::size_t i = 0; i < found[k].size(); ++i) {
            T const a = found[k][i], b = expected[k][i];
            if (a == b || (std::isnan(a) && std::isnan(b))) continue;   // also the largest and the mean of nothing
            double const off = std::abs(static_cast<double>(a) - static_cast<double>(b));
            worst = std::max(worst, std::isnan(off) ? std::numeric_limits<double>::infinity() : off);
        }
        CHECK(worst <= 4 * operations * static_cast<double>(std::numeric_limits<T>::epsilon()) * scale);
    }
}

}   // namespace test
