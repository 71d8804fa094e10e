// SPDX-License-Identifier: MIT
// Models as they predict: the type without dropout, through layers, blocks and operations with several outputs.
#include <support/tensor.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 6>;
constexpr auto rate = xg::input<"rate", float>;

template<bool Training>
constexpr auto drop(auto h, auto r) {
    if constexpr (Training) return xg::dropout<"drop">(h, r);
    else return h;
}
template<bool Training>
constexpr auto network(auto r) {
    constexpr auto h = xg::relu(xg::nn::dense<"h", 8>(x));
    auto const first = drop<Training>(h, r);
    auto const [largest, which] = xg::top_k<3>(first);
    return xg::nn::dense<"y", 2>(first) + xg::sum<1>(largest, xg::keep_dims);
}

// nothing is left of a dropout
static_assert(std::is_same_v<decltype(xg::eval(xg::tanh(xg::dropout<"d">(x * x, 0.5_c)) + x)), decltype(xg::tanh(x * x) + x)>);
static_assert(std::is_same_v<decltype(xg::eval(xg::dropout<"a">(xg::dropout<"b">(x, rate), 0.25_c))), std::remove_const_t<decltype(x)>>);
// other operations stay: select with another condition, noise
constexpr auto chosen = xg::select(xg::uniform_like<"u">(x) >= x, x, 0_c);
static_assert(std::is_same_v<decltype(xg::eval(chosen)), std::remove_const_t<decltype(chosen)>>);
static_assert(std::is_same_v<decltype(xg::eval(x)), std::remove_const_t<decltype(x)>>);
static_assert(xg::value_of<decltype(xg::eval(network<true>(rate)))>.dims == xg::value_of<decltype(network<false>(rate))>.dims);
}   // namespace

TEST_CASE("a model predicts without dropout") {
    constexpr auto logits = network<true>(rate);
    constexpr auto plain = network<false>(rate);
    xg::variables v{logits};
    v.initialize(xg::glorot_uniform{.seed = 3});
    auto const in = test::numbers<float>({5, 6});
    xg::function trains{logits, v};
    xg::function evaluates{xg::eval(logits), v};
    xg::function is_plain{plain, v};
    auto const a = evaluates(x = in), b = is_plain(x = in), c = trains(x = in, rate = 0.5f);
    bool differs = false;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK(a[i] == b[i]);
        differs = differs || a[i] != c[i];
    }
    CHECK(differs);
}
TEST_CASE("blocks of residual nets") {
    constexpr auto block = [](auto h) { return xg::dropout<"r">(xg::tanh(h), 0.5_c); };
    constexpr auto y = xg::nn::residual(xg::nn::residual(x, block), block);
    constexpr auto plain = [](auto h) { return xg::tanh(h); };
    constexpr auto z = xg::nn::residual(xg::nn::residual(x, plain), plain);
    static_assert(xg::info_of<decltype(xg::eval(y))>->value.dims == xg::info_of<std::remove_const_t<decltype(z)>>->value.dims);
    xg::function f{xg::eval(y)};
    xg::function g{z};
    auto const in = test::numbers<float>({3, 6});
    auto const a = f(x = in), b = g(x = in);
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a[i] == b[i]);
}
TEST_CASE("gradients of what predicts") {
    constexpr auto y = xg::dropout<"d">(x, 0.5_c) * x;   // of which the gradient without dropout is 2 x
    xg::function slope{xg::gradient_of(xg::eval(y), x)};
    auto const in = test::numbers<float>({2, 6});
    auto const g = slope(x = in);
    for (std::int64_t i = 0; i < g.size(); ++i) CHECK(g[i] == 2 * in.data()[i]);
}
namespace {
constexpr auto rows = xg::input<"rows", float, batch, 6>;
constexpr auto flag = xg::input<"flag", bool>;
template<bool Training>
struct block : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(drop<Training>(h, rate)); }
};
template<bool Training>
struct next_block : xg::region {
    static constexpr auto value(auto h, auto row) { return drop<Training>(h, rate) * 0.5_c + row; }
};
template<bool Training>
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = drop<Training>(h + row, rate);
        return xg::carry(next).emit(xg::sum(next));
    }
};
struct doubled : xg::region {
    static constexpr auto value(auto h) { return h + h; }
};
template<bool Training>
constexpr auto bodies() {
    constexpr auto start = xg::sum<0>(rows);
    auto const [last, sums] = xg::scan<cell<Training>>(xg::carry(start), rows);
    return xg::call<block<Training>>(last) + xg::layers<batch, next_block<Training>>(start, rows) +
           xg::cond<block<Training>, doubled>(flag, xg::call<doubled>(start)) + xg::sum(sums);
}
static_assert(std::is_same_v<decltype(xg::eval(xg::call<doubled>(rows))), decltype(xg::call<doubled>(rows))>);
}
TEST_CASE("bodies of loops, calls and branches predict without dropout") {
    constexpr auto y = bodies<true>();
    xg::function f{xg::eval(y)};
    xg::function g{bodies<false>()};
    auto const in = test::numbers<float>({5, 6});
    for (bool const which : {true, false}) {
        auto const a = f(rows = in, flag = which), b = g(rows = in, flag = which);
        for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a[i] == b[i]);
    }
}
