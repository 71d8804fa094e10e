// SPDX-License-Identifier: MIT
// Variables of bfloat16 and float16: their gradients are float. A rule reads them as float, computes in float and rounds once where it
// writes. A step must leave the rounded result of the same step on a float variable of the same values.
#pragma once

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace half_rules {
namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

template<class H>
std::vector<H> numbers(std::size_t count, float scale = 1) {
    std::vector<H> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(H(scale * std::sin(1.7f * static_cast<float>(i) + 0.3f)));
    return r;
}
template<class View, class Wide>
int differences(View const& found, Wide const& wide) {
    int wrong = 0;
    using H = typename View::value_type;
    for (std::int64_t i = 0; i < found.size(); ++i) wrong += found[i].bits != H(wide[i]).bits;
    return wrong;
}
template<class View, class Wide>
void copy(View const& from, Wide const& to) {
    for (std::int64_t i = 0; i < from.size(); ++i) to[i] = from[i];
}
template<class A, class B>
int different_slots(A& a, B& b) {
    int wrong = 0;
    auto const &x = a.optimizer().all(), &y = b.optimizer().all();
    for (int v = 0; v < x.count; ++v)
        for (int k = 0; k < x.at[v].slot_count; ++k) {
            auto const p = xg::part_of(x.at[v], k, a.store().variables().at[x.at[v].variable]);
            auto const q = xg::part_of(y.at[v], k, b.store().variables().at[y.at[v].variable]);
            REQUIRE(p.type == q.type);
            REQUIRE(p.bytes() == q.bytes());
            wrong += std::memcmp(p.data, q.data, p.bytes()) != 0;
        }
    return wrong;
}

/// One variable in each of the ways in which an update gets its gradient: in the tiles of a product, whole, by rows; of odd sizes.
template<class W, int Width>
struct model {
    static constexpr auto x = xg::input<"x", float, batch, 6>;
    static constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    static constexpr auto table = xg::variable<"table", W, 13, Width>;
    static constexpr auto w = xg::variable<"w", W, 6, Width>;
    static constexpr auto b = xg::variable<"b", W, Width>;
    static constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x, w) + b) - xg::gather(table, ids)));
};

template<class H, int Width, class Rule>
void compare(Rule const& rule) {
    using half = model<H, Width>;
    using wide = model<float, Width>;
    auto train = xg::minimize(half::loss, rule);
    auto other = xg::minimize(wide::loss, rule);
    train.initialize(xg::random_uniform{.seed = 7, .range = 0.5});
    std::vector<float> const in = numbers<float>(5 * 6);
    std::vector<std::int32_t> const rows{3, 12, 3, 0, 7};
    auto const images = xg::array(in.data(), 5, 6);
    for (int step = 0; step < 4; ++step) {
        copy(train.value(half::table), other.value(wide::table));
        copy(train.value(half::w), other.value(wide::w));
        copy(train.value(half::b), other.value(wide::b));
        float const loss = train(half::x = images, half::ids = rows), expected = other(wide::x = images, wide::ids = rows);
        CHECK(loss == expected);
        CHECK(differences(train.value(half::table), other.value(wide::table)) == 0);
        CHECK(differences(train.value(half::w), other.value(wide::w)) == 0);
        CHECK(differences(train.value(half::b), other.value(wide::b)) == 0);
        CHECK(different_slots(train, other) == 0);
    }
}
}   // namespace half_rules
