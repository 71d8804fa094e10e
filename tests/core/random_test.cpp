// SPDX-License-Identifier: MIT
// Philox against Random123's known answers, and the meaning of a key.
#include <xgrad/core/random.hpp>
#include <xgrad/data/shuffle.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

using namespace xgrad;

// Known answers of Random123 (kat_vectors, philox4x32 with 10 rounds): checked by the compiler already.
static_assert(philox({0, 0, 0, 0}, {0, 0}) == philox_counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              philox_counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

static_assert(mix_bits(0) == 0xe220a8397b1dcdaf && mix_bits(1) == 0x910a2dec89025cc1);
static_assert(hash_name("") == 0xcbf29ce484222325 && hash_name("a") == 0xaf63dc4c8601ec8c && hash_name("foobar") == 0x85944171f73967e8);

static_assert(uniform01(0u) == 0.0f && uniform01(0xffu) == 0.0f && uniform01(0x100u) == 0x1p-24f);
static_assert(uniform01(0xffffffffu) == 1.0f - 0x1p-24f && uniform01(0x80000000u) == 0.5f);
static_assert(uniform01(0u, 0u) == 0.0 && uniform01(0xffffffffu, 0xffffffffu) == 1.0 - 0x1p-53 && uniform01(0x80000000u, 0u) == 0.5);

TEST_CASE("philox at run time") {
    philox_counter volatile_input{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    philox_key key{0xa4093822, 0x299f31d0};
    asm volatile("" : : "r"(&volatile_input), "r"(&key) : "memory");   // keeps the compiler from folding the call
    CHECK(philox(volatile_input, key) == philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("each field of a key changes the numbers") {
    random_key const keys[] = {
        {}, {.seed = 1}, {.name_hash = 1}, {.step = 1}, {.step = std::uint64_t{1} << 32}, {.worker = 1}, {.iteration = 1}};
    std::set<std::uint64_t> seen;
    for (random_key const& key : keys) seen.insert((std::uint64_t{random_bits(key, 0)} << 32) | random_bits(key, 1));
    CHECK(seen.size() == std::size(keys));
}

TEST_CASE("many words at once are those of each element") {
    random_key const key{.seed = 7, .name_hash = hash_name("x"), .step = (std::uint64_t{3} << 32) + 5, .worker = 2};
    detail::random_words words;
    for (std::uint64_t const part : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
        words.fill(key, part);
        for (std::size_t e = 0; e < words.count; ++e) CHECK(words.bits[e] == random_bits(key, part * words.count + e));
    }
}

TEST_CASE("numbers below a limit, of bits") {
    using detail::number_below;
    CHECK(number_below(10, 0) == 0);
    CHECK(number_below(10, ~std::uint64_t{0}) == 9);
    CHECK(number_below(10, std::uint64_t{1} << 63) == 5);
    CHECK(number_below(10, (std::uint64_t{1} << 63) - 1) == 4);
    CHECK(number_below(3, 0x5555555555555556) == 1);   // the lower half of the bits decides
    CHECK(number_below(3, 0x5555555555555555) == 0);
    CHECK(number_below(0xFFFFFFFF, ~std::uint64_t{0}) == 0xFFFFFFFE);
    CHECK(number_below(std::uint64_t{1} << 33, (std::uint64_t{1} << 33) + 4) == 4);
}

TEST_CASE("elements differ and are uniform") {
    std::size_t const n = 1 << 16;
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = uniform01(random_bits({.seed = 3, .name_hash = hash_name("x")}, i));
    double sum = 0, squares = 0, neighbours = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double const d = x[i] - 0.5;
        sum += d;
        squares += d * d;
        if (i + 1 < n) neighbours += d * (x[i + 1] - 0.5);
    }
    double const sd = std::sqrt(1.0 / 12.0 / static_cast<double>(n));
    CHECK(std::abs(sum / static_cast<double>(n)) < 4 * sd);
    CHECK(squares / static_cast<double>(n) == doctest::Approx(1.0 / 12.0).epsilon(0.01));
    CHECK(std::abs(neighbours / static_cast<double>(n)) < 4.0 / 12.0 / std::sqrt(static_cast<double>(n)));
}
