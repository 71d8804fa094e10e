// SPDX-License-Identifier: MIT
// Attention compared with PyTorch, and its derivatives with finite differences. tests/reference/attention.py.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/attention/attention.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
inline constexpr xg::dim keys{"keys"};

template<class R>
void check_known(std::string const& name, R const& result) {
    static auto const all = test::read_reference("attention.txt");
    std::vector<double> const& e = all.at(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == result.size());
    test::check_near(
        name.c_str(), result, [&](std::int64_t i) { return static_cast<long double>(e[static_cast<std::size_t>(i)]); }, 2e-8);
}
constexpr auto q = xg::input<"q", double, batch, 4, length, 5>;
constexpr auto k = xg::input<"k", double, batch, 2, keys, 5>;
constexpr auto v = xg::input<"v", double, batch, 2, keys, 3>;
constexpr auto w = xg::input<"w", double, batch, 4, length, 3>;
constexpr auto seen = xg::input<"seen", bool, batch, 1, length, keys>;
constexpr auto bias = xg::input<"bias", double, 4, length, keys>;
constexpr auto lengths = xg::input<"lengths", std::int32_t, batch>;

/// The results and gradients of sum(w y) of one program, compared with those of the reference.
template<class Y, class... In>
void check_case(std::string const& name, Y const& y, In const&... in) {
    auto const loss = xg::sum(w * y);
    xg::function f{xg::outputs(y, xg::gradient_of(loss, q), xg::gradient_of(loss, k), xg::gradient_of(loss, v))};
    auto const Q = test::numbers<double>({2, 4, 5, 5}, -1, 1, 1), K = test::numbers<double>({2, 2, 9, 5}, -1, 1, 2),
               V = test::numbers<double>({2, 2, 9, 3}, -1, 1, 3), W = test::numbers<double>({2, 4, 5, 3}, -1, 1, 4);
    auto const [a, gq, gk, gv] = f(q = Q, k = K, v = V, w = W, in...);
    check_known(name, a);
    check_known(name + ".q", gq);
    check_known(name + ".k", gk);
    check_known(name + ".v", gv);
}
}

TEST_CASE("PyTorch's numbers: heads that share keys, causal from both ends, a scale") {
    check_case("causal", xg::scaled_dot_product_attention<xg::attention_options{.causal = true}>(q, k, v));
    check_case("lower_right", xg::scaled_dot_product_attention<xg::attention_options{.lower_right = true}>(q, k, v));
    check_case("scaled", xg::scaled_dot_product_attention<xg::attention_options{.scale = 0.7}>(q, k, v));
}

TEST_CASE("PyTorch's numbers: a mask with a row of no keys, lengths with one of no keys") {
    auto const chosen = test::numbers<double>({2, 1, 5, 9}, -1, 1, 6);
    test::tensor<bool> mask({2, 1, 5, 9});
    for (std::int64_t i = 0; i < mask.size(); ++i) mask[i] = chosen[i] > -0.3 && i / 9 != 8;
    check_case("mask", xg::scaled_dot_product_attention(q, k, v, seen), seen = mask);
    check_case("lengths", xg::scaled_dot_product_attention(q, k, v, lengths), lengths = test::list<std::int32_t>({0, 6}));
}

TEST_CASE("PyTorch's numbers: a bias with infinities, and its gradient") {
    constexpr auto y = xg::scaled_dot_product_attention(q, k, v, bias);
    auto B = test::numbers<double>({4, 5, 9}, -1, 1, 5);
    for (std::int64_t j = 3; j < 7; ++j) B[(1 * 5 + 2) * 9 + j] = -std::numeric_limits<double>::infinity();
    check_case("bias", y, bias = B);
    xg::function f{xg::gradient_of(xg::sum(w * y), bias)};
    auto const Q = test::numbers<double>({2, 4, 5, 5}, -1, 1, 1), K = test::numbers<double>({2, 2, 9, 5}, -1, 1, 2),
               V = test::numbers<double>({2, 2, 9, 3}, -1, 1, 3), W = test::numbers<double>({2, 4, 5, 3}, -1, 1, 4);
    check_known("bias.bias", f(q = Q, k = K, v = V, w = W, bias = B));
}

TEST_CASE("first and second derivatives, with everything at once") {
    constexpr auto y =
        xg::scaled_dot_product_attention<xg::attention_options{.causal = true, .dropout = 0.3}, "drop">(q, k, v, lengths, bias, seen);
    constexpr auto loss = xg::sum(xg::sin(y));
    constexpr auto s = xg::gradients(loss, q, k, v, bias);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(s))) + xg::sum(xg::sin(std::get<1>(s))) + xg::sum(xg::sin(std::get<2>(s))) +
                            xg::sum(xg::sin(std::get<3>(s)));
    auto const Q = test::numbers<double>({2, 4, 3, 5}, -1, 1, 3), K = test::numbers<double>({2, 2, 4, 5}, -1, 1, 4),
               V = test::numbers<double>({2, 2, 4, 3}, -1, 1, 5), B = test::numbers<double>({4, 3, 4}, -1, 1, 6);
    test::tensor<bool> mask({2, 1, 3, 4}, true);
    mask[0] = mask[5] = false;
    auto const some = test::list<std::int32_t>({9, 2});
    auto const first = xg::check_gradients(loss, xg::wrt(q, k, v, bias), q = Q, k = K, v = V, seen = mask, bias = B, lengths = some);
    CHECK_MESSAGE(first.ok, first.message);
    auto const r = xg::check_gradients(
        second, xg::wrt(q, k, v, bias), {.tolerance = 1e-7}, q = Q, k = K, v = V, seen = mask, bias = B, lengths = some);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("the layout with the length first: first and second derivatives, a bias for all heads") {
    constexpr auto a = xg::input<"a", double, batch, length, 2, 4>;
    constexpr auto b = xg::input<"b", double, length, length>;
    constexpr auto y = xg::scaled_dot_product_attention<xg::attention_options{.length_first = true}>(a, xg::sin(a), a * a, b);
    constexpr auto loss = xg::sum(xg::sin(y));
    constexpr auto s = xg::gradients(loss, a, b);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(s))) + xg::sum(xg::sin(std::get<1>(s)));
    auto const A = test::numbers<double>({2, 3, 2, 4}, -1, 1, 3), B = test::numbers<double>({3, 3}, -1, 1, 4);
    auto const r = xg::check_gradients(loss + second, xg::wrt(a, b), {.tolerance = 1e-7}, a = A, b = B);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("no matrix of scores is in memory") {
    constexpr auto f = xg::input<"f", float, 1, 2, length, 8>;
    constexpr auto u = xg::input<"u", float, 1, 2, length, 3>;
    constexpr auto y = xg::scaled_dot_product_attention<xg::attention_options{.dropout = 0.25}, "drop">(f, f, u);
    constexpr auto loss = xg::sum(xg::square(y));
    auto const s = xg::gradients(loss, f, u);
    xg::function slope{xg::outputs(y, loss, std::get<0>(s), std::get<1>(s))};
    auto const F = test::numbers<float>({1, 2, 700, 8}), U = test::numbers<float>({1, 2, 700, 3}, 0.5F, 1.5F);
    auto const [all, total, of_f, of_u] = slope(f = F, u = U);
    CHECK(slope.arena_bytes() < 2 * 700 * 700 * sizeof(float) / 3);
    double sum = 0, turned = 0, spread = 0;
    for (std::int64_t i = 0; i < U.size(); ++i) {
        sum += static_cast<double>(all[i]);
        spread += std::abs(static_cast<double>(all[i]) - 1);
        turned += static_cast<double>(of_u[i]) * static_cast<double>(U[i]);
    }
    double const n = static_cast<double>(U.size());
    CHECK(sum / n == doctest::Approx(1).epsilon(0.01));   // mean of u
    CHECK((spread / n > 0.002 && spread / n < 0.05));
    // y is linear in u: both passes drop the same weights of all blocks.
    CHECK(turned == doctest::Approx(2 * static_cast<double>(total)).epsilon(1e-5));
    xg::function whole{xg::sum(xg::square(xg::eval(y) - xg::scaled_dot_product_attention(f, f, u)))};
    CHECK(whole(f = F, u = U) == 0);
}
