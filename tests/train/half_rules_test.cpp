// SPDX-License-Identifier: MIT
// Variables of bfloat16 and float16: their gradients are float, a rule reads them as float, computes in float and rounds once where it writes.
// What a step must leave is what the same step leaves in a float variable of the same values, rounded.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

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

}   // namespace

// Sanitizers look at addresses: of rows in place, of packed ones, of tiles. Each model costs their compiler up to a minute.
#if XGRAD_SANITIZED
TEST_CASE("each rule rounds once: dense, in the tiles of a product, by rows") {
    compare<xg::float16, 3>(xg::lazy{xg::adam{.learning_rate = 0.1}});
}
#else
TEST_CASE_TEMPLATE("each rule rounds once: dense, in the tiles of a product, by rows", H, xg::bfloat16, xg::float16) {
    compare<H, 19>(xg::gradient_descent{.learning_rate = 0.5});
    compare<H, 19>(xg::adam{.learning_rate = 0.1});
    compare<H, 3>(xg::lazy{xg::adam{.learning_rate = 0.1}});   // short rows, packed
    compare<H, 19>(xg::lazy{xg::adam{.learning_rate = 0.1}});
    compare<H, 3>(xg::adamw{.weight_decay = 0.1, .learning_rate = 0.1});
}
TEST_CASE("more rules") {
    using H = xg::bfloat16;
    compare<H, 1>(xg::momentum{.learning_rate = 0.1, .momentum = 0.9});
    compare<H, 7>(xg::adagrad{.learning_rate = 0.1});
    compare<H, 5>(xg::ftrl{.learning_rate = 0.1});
    compare<xg::float16, 5>(xg::lamb{.learning_rate = 0.1});
    compare<H, 19>(xg::lazy{xg::lamb{.learning_rate = 0.1}});
    compare<H, 17>(xg::rowwise_adagrad{.learning_rate = 0.1});
}
#endif

TEST_CASE("an exact rule with a part for the rows that occur rounds once, in blocks and by rows") {
    constexpr auto t = xg::variable<"t", xg::bfloat16, 9, 3>;
    constexpr auto wide = xg::variable<"t", float, 9, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto g = xg::input<"g", float, batch, 3>;
    xg::adamw const rule{.weight_decay = 0.37, .learning_rate = 0.013};
    auto train = xg::minimize(xg::sum(xg::gather(t, ids) * g), rule);
    auto other = xg::minimize(xg::sum(xg::gather(wide, ids) * g), rule);
    train.initialize(xg::random_uniform{.seed = 2, .range = 1});
    std::vector<std::int32_t> const rows{4, 8, 4};
    auto const values = numbers<float>(9);
    int apart = 0;
    for (int step = 0; step < 30; ++step) {
        copy(train.value(t), other.value(wide));
        train(ids = rows, g = xg::array(values.data(), 3, 3));
        other(ids = rows, g = xg::array(values.data(), 3, 3));
        apart += differences(train.value(t), other.value(wide));
    }
    CHECK(apart == 0);
}
