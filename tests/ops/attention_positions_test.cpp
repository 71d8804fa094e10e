// SPDX-License-Identifier: MIT
// Positions for attention: rotary embeddings, sinusoids and ALiBi, compared with their formulas.
#include <support/tensor.hpp>

#include <xgrad/ops/attention/attention.hpp>
#include <xgrad/ops/attention/rotary.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

/// Element c of a row of `width` elements at a position, of which the first `turned` turn.
template<class T>
long double turned_element(T const* row, std::int64_t c, long double position, std::int64_t turned, bool adjacent, long double base) {
    std::int64_t const n = turned / 2;
    if (c >= turned) return static_cast<long double>(row[c]);
    std::int64_t const pair = adjacent ? c / 2 : c % n;
    bool const second = adjacent ? c % 2 == 1 : c >= n;
    std::int64_t const other = adjacent ? (second ? c - 1 : c + 1) : (second ? c - n : c + n);
    long double const angle = position * std::pow(base, -static_cast<long double>(pair) / static_cast<long double>(n));
    long double const x = static_cast<long double>(row[c]), y = static_cast<long double>(row[other]);
    return second ? x * std::cos(angle) + y * std::sin(angle) : x * std::cos(angle) - y * std::sin(angle);
}
}

TEST_CASE("rotary embeddings: both kinds of pairs, both layouts, a part of the width, given positions") {
    constexpr auto x = xg::input<"x", float, batch, 3, length, 20>;
    constexpr auto z = xg::input<"z", double, batch, length, 3, 20>;
    constexpr auto at = xg::input<"at", std::int64_t, batch, length>;
    constexpr auto places = xg::input<"places", double, length>;
    xg::function f{xg::outputs(xg::rotary_embedding(x), xg::rotary_embedding<xg::rotary_options{.interleaved = true}>(x, at),
        xg::rotary_embedding<xg::rotary_options{.length_first = true, .width = 8, .base = 500}>(z, places),
        xg::rotary_embedding<xg::rotary_options{.interleaved = true, .length_first = true}>(z, at))};
    auto const X = test::numbers<float>({2, 3, 7, 20});
    auto const Y = test::numbers<double>({2, 7, 3, 20}, -1, 1, 5);
    test::tensor<std::int64_t> A({2, 7});
    for (std::int64_t i = 0; i < 14; ++i) A[i] = 3 * i + 100 * (i / 7);
    auto const P = test::numbers<double>({7}, 0, 50, 6);
    auto const [halves, adjacent, part, first] = f(x = X, z = Y, at = A, places = P);
    for (std::int64_t b = 0; b < 2; ++b)
        for (std::int64_t h = 0; h < 3; ++h)
            for (std::int64_t i = 0; i < 7; ++i)
                for (std::int64_t c = 0; c < 20; ++c) {
                    float const* const row = X.data() + ((b * 3 + h) * 7 + i) * 20;
                    double const* const other = Y.data() + ((b * 7 + i) * 3 + h) * 20;
                    long double const given = static_cast<long double>(A[b * 7 + i]);
                    REQUIRE(std::abs(halves(b, h, i, c) - turned_element(row, c, i, 20, false, 1e4L)) < 3e-7L);
                    REQUIRE(std::abs(adjacent(b, h, i, c) - turned_element(row, c, given, 20, true, 1e4L)) < 3e-7L);
                    REQUIRE(std::abs(part(b, i, h, c) - turned_element(other, c, P[i], 8, false, 500)) < 1e-13L);
                    REQUIRE(std::abs(first(b, i, h, c) - turned_element(other, c, given, 20, true, 1e4L)) < 1e-13L);
                }
}

TEST_CASE("gradients of rotated queries and keys, of second order too") {
    constexpr auto x = xg::input<"x", double, batch, 2, length, 4>;
    constexpr auto turned = xg::rotary_embedding(x);
    constexpr auto loss = xg::sum(xg::sin(xg::scaled_dot_product_attention(turned, turned, x)));
    constexpr auto second = xg::sum(xg::sin(xg::gradient_of(loss, x)));
    auto const r = xg::check_gradients(loss + second, xg::wrt(x), {.tolerance = 1e-7}, x = test::numbers<double>({1, 2, 3, 4}, -1, 1, 8));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("sinusoids and ALiBi") {
    constexpr auto x = xg::input<"x", float, length>;
    xg::function f{
        xg::outputs(xg::sinusoidal_positions<length, 7>() + 0_c * xg::expand_dims<1>(x), xg::sinusoidal_positions<3, 8, double>(),
            xg::alibi_bias<8, length, 5>(), xg::alibi_bias<12, 2, 3, double>(), xg::causal_alibi_bias<4, length>())};
    auto const [named, fixed, bias, twelve, causal] = f(x = test::numbers<float>({600}));
    for (std::int64_t i = 0; i < 600; ++i)
        for (std::int64_t c = 0; c < 7; ++c) {
            long double const angle = i / std::pow(10000.0L, static_cast<long double>(c / 2 * 2) / 7);
            REQUIRE(std::abs(named(i, c) - (c % 2 == 0 ? std::sin(angle) : std::cos(angle))) < 1e-7L);
        }
    CHECK(fixed(2, 5) == doctest::Approx(std::cos(2 / std::pow(10000.0, 0.5))).epsilon(1e-14));
    for (std::int64_t h = 0; h < 8; ++h)
        for (std::int64_t i = 0; i < 600; i += 7)
            for (std::int64_t j = 0; j < 5; ++j)
                REQUIRE(bias(h, i, j) == doctest::Approx(-std::exp2(-static_cast<double>(h + 1)) * static_cast<double>(std::abs(i - j))));
    for (std::int64_t h = 0; h < 12; ++h)
        CHECK(twelve(h, 1, 0) == doctest::Approx(-std::exp2(h < 8 ? -static_cast<double>(h + 1) : 7.5 - static_cast<double>(h))));
    REQUIRE(causal.shape() == std::array<std::int64_t, 3>{4, 1, 600});
    for (std::int64_t h = 0; h < 4; ++h)
        for (std::int64_t j = 0; j < 600; ++j)
            REQUIRE(causal(h, 0, j) == doctest::Approx(std::exp2(-2 * static_cast<double>(h + 1)) * static_cast<double>(j - 599)));
}
