// SPDX-License-Identifier: MIT
// bfloat16 and float16: every value there and back, rounding to the nearest even, NaN; batches against single numbers.
#include <xgrad/backend/flush_denormals.hpp>
#include <xgrad/backend/simd.hpp>
#include <xgrad/core/dtype.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace xgrad;

namespace {
template<class H>
constexpr int fraction_bits = std::is_same_v<H, bfloat16> ? 7 : 10;

template<class H>
H from_bits(unsigned bits) {
    H h;
    h.bits = static_cast<std::uint16_t>(bits);
    return h;
}
/// What the bits mean, by the definition; largest + one unit for infinity.
template<class H>
double value_of_bits(unsigned bits) {
    constexpr int fraction = fraction_bits<H>, bias = (1 << (14 - fraction)) - 1;
    int const exponent = static_cast<int>((bits & 0x7fff) >> fraction), rest = static_cast<int>(bits & ((1u << fraction) - 1));
    double const magnitude =
        exponent == 0 ? std::ldexp(rest, 1 - bias - fraction) : std::ldexp(rest + (1 << fraction), exponent - bias - fraction);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
template<class H>
constexpr unsigned infinity_bits = ((1u << (15 - fraction_bits<H>)) - 1) << fraction_bits<H>;
static_assert(infinity_bits<bfloat16> == 0x7f80 && infinity_bits<float16> == 0x7c00);

template<class H>
unsigned bits_of(double x) {
    return H(static_cast<float>(x)).bits;
}
}   // namespace

static_assert(sizeof(bfloat16) == 2 && size_of(dtype::float16) == 2 && dtype_of<bfloat16> == dtype::bfloat16);
static_assert(Element<float> && !Element<bfloat16> && MemoryElement<float16> && !MemoryElement<char>);
static_assert(static_cast<float>(bfloat16(1.0f)) == 1.0f && float16(65504.0f).bits == 0x7bff && float16(-2.0f).bits == 0xc000);

TEST_CASE_TEMPLATE("every value means what the format says and comes back", H, bfloat16, float16) {
    int wrong = 0;
    for (unsigned sign : {0u, 0x8000u}) {
        for (unsigned b = 0; b < infinity_bits<H>; ++b) {
            wrong += static_cast<double>(static_cast<float>(from_bits<H>(b | sign))) != value_of_bits<H>(b | sign);
            wrong += bits_of<H>(value_of_bits<H>(b | sign)) != (b | sign);
        }
        wrong += std::abs(static_cast<float>(from_bits<H>(infinity_bits<H> | sign))) != std::numeric_limits<float>::infinity();
        for (unsigned b = infinity_bits<H> + 1; b < 0x8000; ++b) {
            float const nan = from_bits<H>(b | sign);
            wrong += !std::isnan(nan) || !std::isnan(static_cast<float>(H(nan)));
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("between two values the nearer one, in the middle the even one", H, bfloat16, float16) {
    int wrong = 0;
    for (unsigned sign : {0u, 0x8000u}) {
        for (unsigned b = 0; b < infinity_bits<H>; ++b) {   // above the largest: as if there were one more, which is infinity
            double const low = value_of_bits<H>(b | sign), high = value_of_bits<H>((b + 1) | sign);
            auto const middle = static_cast<float>((low + high) / 2);
            wrong += H(middle).bits != ((b + b % 2) | sign);
            wrong += H(std::nextafter(middle, static_cast<float>(low))).bits != (b | sign);
            wrong += H(std::nextafter(middle, sign != 0 ? -HUGE_VALF : HUGE_VALF)).bits != ((b + 1) | sign);
        }
        float const infinity = sign != 0 ? -HUGE_VALF : HUGE_VALF;
        wrong += H(infinity).bits != (infinity_bits<H> | sign);
        wrong += H(sign != 0 ? -0.0f : 0.0f).bits != sign;
    }
    wrong += !std::isnan(static_cast<float>(H(std::numeric_limits<float>::quiet_NaN())));
    wrong +=
        !std::isnan(static_cast<float>(H(std::bit_cast<float>(0x7f800001u))));   // the bit that makes it a NaN is not among the kept bits
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE(
    "the bits of each value as a float are those of the format, and the way back is that of exact arithmetic", H, bfloat16, float16) {
    constexpr unsigned fraction = fraction_bits<H>;
    int wrong = 0;
    for (unsigned b = 0; b < 0x10000; ++b) {
        auto const found = std::bit_cast<std::uint32_t>(static_cast<float>(from_bits<H>(b)));
        bool const nan = (b & 0x7fff) > infinity_bits<H>;
        if (!nan && (b & 0x7fff) < infinity_bits<H>)
            wrong += found != std::bit_cast<std::uint32_t>(static_cast<float>(value_of_bits<H>(b)));
        else   // sign, exponent of ones, leading bits of the fraction; the processor makes a float16 NaN quiet
            wrong += found != ((b & 0x8000u) << 16 | 0x7f800000u | (b & ((1u << fraction) - 1)) << (23 - fraction) |
                                  (nan && fraction == 10 ? 0x00400000u : 0u));
    }
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("batches convert as single numbers do, to the bit", T, float, double) {
    int wrong = 0;
    auto const all = [&]<class H>(H) {
        constexpr std::size_t width = simd::width<T>;
        auto const compare = [&](std::uint32_t const* bits) {   // floats to 16 bits
            T in[width];
            H out[width];
            for (std::size_t i = 0; i < width; ++i) in[i] = static_cast<T>(std::bit_cast<float>(bits[i]));
            simd::store_as(out, simd::load(in));
            for (std::size_t i = 0; i < width; ++i) wrong += out[i].bits != narrow_to<H>(in[i]).bits;
            auto const rounded = simd::rounded<H>(simd::load(in));
            for (std::size_t i = 0; i < width; ++i) {
                T const x = rounded[i], y = static_cast<T>(static_cast<float>(out[i]));
                wrong += std::memcmp(&x, &y, sizeof x) != 0;
            }
        };
        for (unsigned b = 0; b < 0x10000; b += width) {
            H in[width];
            for (unsigned i = 0; i < width; ++i) in[i] = from_bits<H>(b + i);
            auto const x = simd::load_as<T>(in);
            for (std::size_t i = 0; i < width; ++i) {
                T const found = x[i], expected = static_cast<T>(static_cast<float>(in[i]));
                wrong += std::memcmp(&found, &expected, sizeof found) != 0;
            }
            // around each value and in the middle of its neighbours
            for (std::uint32_t below : {0x0u, 0x1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
                std::uint32_t bits[width];
                for (std::size_t i = 0; i < width; ++i) bits[i] = (b + static_cast<unsigned>(i)) << 16 | below;
                compare(bits);
                for (std::size_t i = 0; i < width; ++i)
                    bits[i] = std::bit_cast<std::uint32_t>(static_cast<float>(from_bits<float16>(b + static_cast<unsigned>(i)))) +
                              (below & 0x1fff);
                compare(bits);
            }
        }
        std::uint32_t state = 12345;
        for (int n = 0; n < 100000; ++n) {
            std::uint32_t bits[width];
            for (auto& b : bits) b = state = state * 1664525u + 1013904223u;
            compare(bits);
        }
    };
    all(bfloat16());
    all(float16());
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("batches load and store the same bits, with denormals on and off", T, float, double) {
    for (bool flush : {false, true}) {
        flush_denormals const guard(flush);
        int wrong = 0;
        auto const all = [&]<class H>(H) {
            constexpr std::size_t width = simd::width<T>;
            for (unsigned b = 0; b < 0x10000; b += width) {
                H in[width], out[width];
                for (unsigned i = 0; i < width; ++i) in[i] = from_bits<H>(b + i);
                auto const x = simd::load_as<T>(in);
                simd::store_as(out, x);
                for (unsigned i = 0; i < width; ++i) {
                    T const expected = static_cast<T>(static_cast<float>(in[i]));
                    bool const nan = expected != expected;
                    bool const denormal_float = std::is_same_v<H, bfloat16> && ((b + i) & 0x7f80) == 0;
                    if (flush && denormal_float) continue;
                    wrong += nan ? x[i] == x[i] : !(x[i] == expected);
                    wrong += nan ? !(static_cast<float>(out[i]) != static_cast<float>(out[i])) : out[i].bits != in[i].bits;
                }
                for (std::size_t n : {std::size_t{0}, std::size_t{1}, width - 1}) {
                    auto const part = simd::load_partial_as<T>(in, n, T(3));
                    H some[width];
                    simd::store_partial_as(some, x, n);
                    for (std::size_t i = 0; i < width; ++i)
                        if (i >= n) wrong += part[i] != T(3) || some[i].bits != 0;
                        else wrong += !(part[i] == x[i] || (part[i] != part[i] && x[i] != x[i])) || some[i].bits != out[i].bits;
                }
            }
        };
        all(bfloat16());
        all(float16());
        CHECK(wrong == 0);
    }
}

TEST_CASE("a type that is known at run time") {
    int bytes = 0;
    for (dtype d : {dtype::boolean, dtype::int32, dtype::int64, dtype::float32, dtype::float64, dtype::bfloat16, dtype::float16}) {
        bool same = false;
        visit(d, [&]<class T>(std::type_identity<T>) {
            same = dtype_of<T> == d && sizeof(T) == size_of(d) && std::is_same_v<T, cpp_type_t<dtype_of<T>>>;
            bytes += static_cast<int>(sizeof(T));
        });
        CHECK(same);
    }
    CHECK(bytes == 29);
    visit(dtype::literal, [&](auto) { bytes = 0; });
    CHECK(bytes == 29);
}
