// SPDX-License-Identifier: MIT
// Inputs and results of the integers of 8 and 16 bits and of the unsigned ones: conversions, arithmetic, moved elements, sums.
#include <support/message_of.hpp>

#include <xgrad/exec/named_arrays.hpp>
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/sort.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using i8 = std::int8_t;
using i16 = std::int16_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr xg::dim n{"n"};
template<class T>
constexpr auto x = xg::input<"x", T, n>;
template<class T>
constexpr auto y = xg::input<"y", T, n>;
inline constexpr xg::dim rows_of_five{"rows_of_five"};
template<class T>
constexpr auto table = xg::input<"table", T, rows_of_five, 5>;
constexpr auto real = xg::input<"real", float, n>;
constexpr auto large = xg::input<"large", double, n>;
constexpr auto whole = xg::input<"whole", std::int64_t, n>;
// one input of each type
constexpr auto x_i8 = xg::input<"x_i8", i8, n>;
constexpr auto x_i16 = xg::input<"x_i16", i16, n>;
constexpr auto x_u8 = xg::input<"x_u8", u8, n>;
constexpr auto x_u16 = xg::input<"x_u16", u16, n>;
constexpr auto x_u32 = xg::input<"x_u32", u32, n>;
constexpr auto x_u64 = xg::input<"x_u64", u64, n>;

template<class E>
constexpr xg::dtype type_of(E const&) {
    return xg::value_of<E>.type;
}
constexpr double infinity = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Numbers with both ends of the range and many between them.
template<class T>
std::vector<T> numbers(std::size_t count, unsigned from = 0) {
    std::vector<T> r;
    std::uint64_t state = from * 977 + 12345;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::uint64_t const bits = state >> 11;
        r.push_back(i % 7 == 3   ? std::numeric_limits<T>::max()
                    : i % 7 == 5 ? std::numeric_limits<T>::lowest()
                                 : static_cast<T>(i % 2 == 0 ? bits : bits % 50));
    }
    return r;
}
template<class View, class T>
int differences(View const& found, std::vector<T> const& expected) {
    REQUIRE(found.size() == static_cast<std::int64_t>(expected.size()));
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(found[0])>, T>);
    int wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += found[static_cast<std::int64_t>(i)] != expected[i];
    return wrong;
}
template<class T, class F>
auto each(std::vector<T> const& a, F f) {
    std::vector<decltype(f(a[0]))> r;
    for (T e : a) r.push_back(f(e));
    return r;
}
template<class T, class F>
std::vector<T> each(std::vector<T> const& a, std::vector<T> const& b, F f) {
    std::vector<T> r;
    for (std::size_t i = 0; i < a.size(); ++i) r.push_back(static_cast<T>(f(a[i], b[i])));
    return r;
}
/// The nearest number of T, computed in long double.
template<class T>
T nearest(double e) {
    auto const least = static_cast<long double>(std::numeric_limits<T>::lowest()),
               most = static_cast<long double>(std::numeric_limits<T>::max());
    return e != e ? std::numeric_limits<T>::lowest()
                  : static_cast<T>(std::min(std::max(std::trunc(static_cast<long double>(e)), least), most));
}

/// A user's operation whose intermediate values are above 255.
struct rounded_half_op : xg::elementwise_op {
    static constexpr std::string_view name = "rounded_half";
    static auto value(auto e) {
        using V = decltype(e);
        return xg::math::where(xg::math::less(e, V(0)) + xg::math::equal(e, V(0)), V(0), (e + V(1)) / V(2));
    }
};
inline constexpr xg::elementwise<rounded_half_op> rounded_half{};

struct doubled : xg::region {
    static constexpr auto value(auto e) { return e + e; }
};
struct squared : xg::region {
    static constexpr auto value(auto e) { return e * e; }
};
struct adds : xg::region {
    static constexpr auto value(auto sum, auto row) { return xg::carry(sum + row); }
};

}   // namespace

static_assert(type_of(x<u8> + x<u8>) == xg::dtype::uint8 && type_of(2_c * x<i16>) == xg::dtype::int16);
static_assert(type_of(xg::sum(x<u32>)) == xg::dtype::uint32 && type_of(xg::greater(x<u64>, 0_c)) == xg::dtype::boolean);
static_assert(!xg::has_gradient(xg::dtype::uint8) && !xg::has_gradient(xg::dtype::int16) && xg::is_integer(xg::dtype::uint64));
static_assert(xg::size_of(xg::dtype::uint16) == 2 && xg::to_string(xg::dtype::uint32) == "uint32");
static_assert(xg::index_type(xg::dtype::uint8) == xg::dtype::int32 && xg::index_type(xg::dtype::int16) == xg::dtype::int32);
static_assert(xg::index_type(xg::dtype::uint32) == xg::dtype::int64 && xg::index_type(xg::dtype::uint64) == xg::dtype::int64);
static_assert(xg::index_type(xg::dtype::int32) == xg::dtype::int32 && xg::index_type(xg::dtype::int64) == xg::dtype::int64);
static_assert(xg::math::converted<u8>(-0.9f) == 0 && xg::math::converted<u8>(255.9f) == 255 && xg::math::converted<u8>(1e30f) == 255);
static_assert(xg::math::converted<i8>(-129.0) == -128 && xg::math::converted<i8>(-1.5) == -1 && xg::math::converted<u8>(not_a_number) == 0);
static_assert(xg::math::converted<u64>(0x1p64f) == ~u64{0} && xg::math::converted<u64>(0x1.fffffep63f) == 0xffffff0000000000u);
static_assert(xg::math::converted<u32>(4294967295.0) == ~u32{0} && xg::math::converted<u32>(-infinity) == 0);
static_assert(xg::math::multiply(u16{65535}, u16{65535}) == 1 && xg::math::subtract(u8{0}, u8{1}) == 255);

TEST_CASE("conversions from each type") {
    auto f = xg::function(xg::outputs(xg::cast<float>(x_i8), xg::cast<float>(x_i16), xg::cast<float>(x_u8), xg::cast<float>(x_u16),
        xg::cast<float>(x_u32), xg::cast<float>(x_u64), xg::cast<double>(x_u8), xg::cast<double>(x_i16), xg::cast<double>(x_u64),
        xg::cast<xg::float16>(x_u8), xg::cast<bool>(x_u16), xg::cast<std::int32_t>(x_u64), xg::cast<u8>(x_i16), xg::cast<i16>(x_u8),
        xg::cast<float>(x_u8) * (1_c / 255_c) + real));
    for (std::size_t count : {0u, 1u, 3u, 7u, 8u, 17u, 31u, 35u, 70u}) {
        auto const a = numbers<i8>(count);
        auto const b = numbers<i16>(count);
        auto const c = numbers<u8>(count);
        auto const d = numbers<u16>(count);
        auto const e = numbers<u32>(count);
        auto const g = numbers<u64>(count);
        std::vector<float> const r(count, 0.5f);
        auto const to_float = [](auto k) { return static_cast<float>(k); };
        auto const to_double = [](auto k) { return static_cast<double>(k); };
        auto const [fa, fb, fc, fd, fe, fg, dc, db, dg, hc, truth, low, bytes, words, scaled] =
            f(x_i8 = a, x_i16 = b, x_u8 = c, x_u16 = d, x_u32 = e, x_u64 = g, real = r);
        CHECK(differences(fa, each(a, to_float)) + differences(fb, each(b, to_float)) + differences(fc, each(c, to_float)) == 0);
        CHECK(differences(fd, each(d, to_float)) + differences(fe, each(e, to_float)) + differences(fg, each(g, to_float)) == 0);
        CHECK(differences(dc, each(c, to_double)) + differences(db, each(b, to_double)) + differences(dg, each(g, to_double)) == 0);
        CHECK(differences(truth, each(d, [](u16 k) { return k != 0; })) == 0);
        CHECK(differences(low, each(g, [](u64 k) { return static_cast<std::int32_t>(k); })) == 0);
        CHECK(differences(bytes, each(b, [](i16 k) { return static_cast<u8>(k); })) == 0);
        CHECK(differences(words, each(c, [](u8 k) { return static_cast<i16>(k); })) == 0);
        int wrong = 0;
        for (std::size_t i = 0; i < count; ++i) {
            auto const k = static_cast<std::int64_t>(i);
            wrong += static_cast<float>(hc[k]) != static_cast<float>(c[i]);
            wrong += std::abs(scaled[k] - (static_cast<float>(c[i]) / 255 + 0.5f)) > 2e-7f;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("conversions to each type: without the fraction, and to the nearest number of the range") {
    auto f = xg::function(xg::outputs(xg::cast<i8>(real), xg::cast<i16>(real), xg::cast<u8>(real), xg::cast<u16>(real), xg::cast<u32>(real),
        xg::cast<u64>(real), xg::cast<u8>(large), xg::cast<u32>(large), xg::cast<u64>(large), xg::cast<i8>(whole), xg::cast<u64>(whole),
        xg::cast<u8>(xg::cast<xg::float16>(real)), xg::cast<u8>(300_c) + xg::cast<u8>(0_c * real)));
    std::vector<double> wide{0, -0.0, 0.99, -0.99, 1.5, -1.5, 127, 128, -128, -129, 255, 255.99, 256, 32767, 32768, -32769, 65535, 65536,
        2147483648.0, 4294967040.0, 4294967296.0, 0x1p53, 0x1p63, -0x1p63, 0x1.fffffep63, 0x1p64, 1e30, -1e30, infinity, -infinity,
        not_a_number};
    while (wide.size() < 70) wide.push_back(100 * std::sin(static_cast<double>(wide.size())));
    auto const narrow = each(wide, [](double e) { return static_cast<float>(e); });
    auto const k = each(wide, [](double e) { return std::abs(e) < 1e18 ? static_cast<std::int64_t>(e) : std::int64_t{-7}; });
    auto const [a, b, c, d, e, g, dc, de, dg, ka, kg, hc, three_hundred] = f(real = narrow, large = wide, whole = k);
    CHECK(differences(a, each(narrow, nearest<i8>)) == 0);
    CHECK(differences(b, each(narrow, nearest<i16>)) == 0);
    CHECK(differences(c, each(narrow, nearest<u8>)) == 0);
    CHECK(differences(d, each(narrow, nearest<u16>)) == 0);
    CHECK(differences(e, each(narrow, nearest<u32>)) == 0);
    CHECK(differences(g, each(narrow, nearest<u64>)) == 0);
    CHECK(
        differences(dc, each(wide, nearest<u8>)) + differences(de, each(wide, nearest<u32>)) + differences(dg, each(wide, nearest<u64>)) ==
        0);
    CHECK(differences(ka, each(k, [](std::int64_t i) { return static_cast<i8>(i); })) == 0);
    CHECK(differences(kg, each(k, [](std::int64_t i) { return static_cast<u64>(i); })) == 0);
    CHECK(differences(hc, each(narrow, [](float v) { return nearest<u8>(static_cast<double>(static_cast<float>(xg::float16(v)))); })) == 0);
    CHECK(three_hundred[0] == 255);
}

TEST_CASE_TEMPLATE("arithmetic wraps around; comparisons, extrema and sums", T, u8, i16, u64) {
    auto f = xg::function(xg::outputs(x<T> + y<T>, x<T> - y<T>, x<T> * y<T>, x<T> / y<T>, xg::mod(x<T>, y<T>), xg::square(x<T>), -x<T>,
        xg::maximum(x<T>, 100_c), xg::select(xg::less(x<T>, y<T>), x<T>, y<T>), xg::greater_equal(x<T>, y<T>), xg::abs(x<T>), xg::sum(x<T>),
        xg::max(x<T>), xg::min(x<T>), xg::sum<0>(table<T>), xg::max<1>(table<T>), xg::min<1>(table<T>)));
    for (std::size_t count : {5u, 35u, 70u}) {
        auto const a = numbers<T>(count), b = numbers<T>(count, 1);
        auto const [plus, minus, times, over, rest, square, negative, most, chosen, not_less, size, total, highest, lowest, columns,
            row_max, row_min] = f(x<T> = a, y<T> = b, table<T> = xg::array(a, count / 5, 5));
        CHECK(differences(plus, each(a, b, [](T p, T q) { return static_cast<u64>(p) + static_cast<u64>(q); })) == 0);
        CHECK(differences(minus, each(a, b, [](T p, T q) { return static_cast<u64>(p) - static_cast<u64>(q); })) == 0);
        CHECK(differences(times, each(a, b, [](T p, T q) { return static_cast<u64>(p) * static_cast<u64>(q); })) == 0);
        CHECK(differences(over, each(a, b, [](T p, T q) { return q == 0 ? T(0) : static_cast<T>(p / q); })) == 0);
        CHECK(differences(rest, each(a, b, [](T p, T q) {
            T const r = q == 0 ? T(0) : static_cast<T>(p % q);
            return r != 0 && (r < 0) != (q < 0) ? static_cast<T>(r + q) : r;
        })) == 0);
        CHECK(differences(square, each(a, a, [](T p, T) { return static_cast<u64>(p) * static_cast<u64>(p); })) == 0);
        CHECK(differences(negative, each(a, a, [](T p, T) { return 0 - static_cast<u64>(p); })) == 0);
        CHECK(differences(most, each(a, [](T p) { return std::max(p, T(100)); })) == 0);
        CHECK(differences(chosen, each(a, b, [](T p, T q) { return std::min(p, q); })) == 0);
        CHECK(differences(size, each(a, a, [](T p, T) { return p < 0 ? 0 - static_cast<u64>(p) : static_cast<u64>(p); })) == 0);
        u64 sum = 0;
        int wrong = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += static_cast<u64>(a[i]);
            wrong += not_less[static_cast<std::int64_t>(i)] != (a[i] >= b[i]);
        }
        CHECK(total == static_cast<T>(sum));
        CHECK(highest == *std::max_element(a.begin(), a.end()));
        CHECK(lowest == *std::min_element(a.begin(), a.end()));
        for (std::size_t j = 0; j < 5; ++j) {
            u64 column = 0;
            for (std::size_t i = j; i < count; i += 5) column += static_cast<u64>(a[i]);
            wrong += columns[static_cast<std::int64_t>(j)] != static_cast<T>(column);
        }
        for (std::size_t i = 0; i < count / 5; ++i) {
            auto const row = a.begin() + static_cast<std::ptrdiff_t>(5 * i);
            wrong += row_max[static_cast<std::int64_t>(i)] != *std::max_element(row, row + 5);
            wrong += row_min[static_cast<std::int64_t>(i)] != *std::min_element(row, row + 5);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("elements are moved, sorted and filled") {
    constexpr auto m = xg::input<"m", u8, 5, 7>;
    constexpr auto at = xg::input<"at", u16, n>;
    constexpr auto rows = xg::gather(m, at);
    static_assert(type_of(rows) == xg::dtype::uint8 && type_of(xg::transpose(m)) == xg::dtype::uint8);
    auto f = xg::function(xg::outputs(xg::transpose(m), xg::concat<0>(m, xg::slice<0, 1, 3>(m)), rows, xg::slice<1, 1, 6, 2>(m),
        xg::flip<1>(m), xg::broadcast_to<2, 5, 7>(m), xg::stack<0>(m, m), xg::pad<1, 2, 1>(m), std::get<0>(xg::sort(m)),
        std::get<1>(xg::top_k<2>(m)), xg::constant<u8, 200> + xg::slice<0, 0, 1>(xg::slice<1, 0, 1>(m))));
    std::vector<u8> bytes = numbers<u8>(35);
    auto const [turned, joined, looked_up, apart, flipped, repeated, stacked, padded, sorted, best, filled] =
        f(m = xg::array(bytes, 5, 7), at = std::vector<u16>{4, 0, 4});
    auto const b = [&](std::int64_t i, std::int64_t j) { return bytes[static_cast<std::size_t>(7 * i + j)]; };
    int wrong = 0;
    for (std::int64_t i = 0; i < 5; ++i) {
        std::vector<u8> row(bytes.begin() + 7 * i, bytes.begin() + 7 * i + 7);
        std::sort(row.begin(), row.end());
        wrong += b(i, best(i, 0)) != row[6] || b(i, best(i, 1)) != row[5];
        for (std::int64_t j = 0; j < 7; ++j) {
            wrong += turned(j, i) != b(i, j) || joined(i, j) != b(i, j) || flipped(i, 6 - j) != b(i, j) || repeated(1, i, j) != b(i, j);
            wrong += stacked(1, i, j) != b(i, j) || padded(i, j + 1) != b(i, j) || padded(i, 0) != 0 || padded(i, 9) != 0;
            wrong += sorted(i, j) != row[static_cast<std::size_t>(j)] || (i < 2 && joined(5 + i, j) != b(i + 1, j));
            if (i < 3) wrong += looked_up(i, j) != b(i == 1 ? 0 : 4, j);
            if (j < 3) wrong += apart(i, j) != b(i, 1 + 2 * j);
        }
    }
    CHECK(wrong == 0);
    CHECK(filled(0, 0) == static_cast<u8>(200 + bytes[0]));
}

TEST_CASE("an operation of a user computes with int32 instead of 8 and 16 bits") {
    auto f = xg::function(xg::outputs(rounded_half(x_u8), rounded_half(x_i16), rounded_half(x_u32)));
    auto const [a, b, c] =
        f(x_u8 = std::vector<u8>{255, 0, 3}, x_i16 = std::vector<i16>{32767, -5, 4}, x_u32 = std::vector<u32>{4000000000u, 0, 7});
    CHECK(differences(a, std::vector<u8>{128, 0, 2}) == 0);
    CHECK(differences(b, std::vector<i16>{16384, 0, 2}) == 0);
    CHECK(differences(c, std::vector<u32>{2000000000u, 0, 4}) == 0);
}

TEST_CASE("numbers and arrays are bound by their type") {
    constexpr auto small = xg::input<"small", u8>;
    constexpr auto wide = xg::input<"wide", std::int64_t>;
    auto f = xg::function(xg::outputs(small + 1_c, wide + xg::cast<std::int64_t>(small)));
    auto const [next, sum] = f(small = u8{255}, wide = u32{4000000000u});
    CHECK(next == 0);
    CHECK(sum == 4000000255);
    auto g = xg::function(xg::sum(xg::cast<float>(x<u16>)));
    std::vector<u16> const words{1, 2, 65535};
    std::vector<short> const others{1};
    CHECK(g(xg::named_arrays{{"x", words}}) == 65538);
    CHECK(test::message_of<xg::dtype_error>([&] {
        (void)g(xg::named_arrays{{"x", others}});
    }).find("\"x\" has elements of type uint16, the array of type int16") != std::string::npos);
}

TEST_CASE("loops and branches: as counts, indices and carries") {
    constexpr auto turns = xg::input<"turns", u8>;
    constexpr auto which = xg::input<"which", u64>;
    constexpr auto lengths = xg::input<"lengths", u16, 3>;
    constexpr auto series = xg::input<"series", u8, 4, 3>;
    constexpr auto zeros = xg::broadcast_to<3>(xg::constant<u8, 0>);
    auto f = xg::function(xg::outputs(std::get<0>(xg::scan<adds>(xg::carry(zeros).turns(turns), series)),
        std::get<0>(xg::scan<adds>(xg::carry(zeros).lengths(lengths), series)), xg::switch_case<doubled, squared>(which, x<i8>)));
    std::vector<u8> const values{100, 1, 2, 100, 3, 4, 100, 5, 6, 100, 7, 8};
    std::vector<i8> const eleven{11};
    auto const [first, by_row, two] =
        f(turns = u8{3}, lengths = std::vector<u16>{1, 4, 0}, series = xg::array(values, 4, 3), which = u64{0}, x<i8> = eleven);
    CHECK(differences(first, std::vector<u8>{44, 9, 12}) == 0);
    CHECK(differences(by_row, std::vector<u8>{100, 16, 0}) == 0);
    CHECK(two[0] == 22);
    auto const last =
        f(turns = u8{0}, lengths = std::vector<u16>{0, 0, 0}, series = xg::array(values, 4, 3), which = ~u64{0}, x<i8> = eleven);
    CHECK(std::get<0>(last)[0] == 0);
    CHECK(std::get<2>(last)[0] == 121);
}
