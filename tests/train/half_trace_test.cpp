// SPDX-License-Identifier: MIT
// Roundings to bfloat16 and float16, and a model with variables of both, against NumPy with ml_dtypes (tests/reference/half_trace.py).
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

std::ifstream reference() {
    std::ifstream file(XGRAD_TEST_DATA "/half_trace.txt");
    REQUIRE(file.good());
    return file;
}
template<class H>
std::uint64_t hash_of_roundings() {
    std::uint64_t h = 0xCBF29CE484222325u;
    for (std::uint32_t k = 0; k < 1u << 20; ++k) {
        auto const x = std::bit_cast<float>(k * 2654435761u);
        if (std::isnan(x)) continue;
        unsigned const bits = H(x).bits;
        for (unsigned byte : {bits & 0xffu, bits >> 8}) h = (h ^ byte) * 0x100000001B3u;
    }
    return h;
}
std::vector<float> start(std::size_t count, int number) {
    std::vector<float> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(static_cast<float>(std::sin(static_cast<double>(i) * 1.7 + number)) * 0.5f);
    return r;
}

constexpr auto x = xg::input<"x", xg::float16, 7, 5>;
constexpr auto ids = xg::input<"ids", std::int64_t, 7>;
constexpr auto target = xg::input<"target", float, 7, 2>;
constexpr auto table = xg::variable<"table", xg::bfloat16, 11, 3>;
constexpr auto w1 = xg::variable<"w1", xg::bfloat16, 8, 6>;
constexpr auto b1 = xg::variable<"b1", float, 6>;
constexpr auto w2 = xg::variable<"w2", xg::float16, 6, 2>;
constexpr auto b2 = xg::variable<"b2", xg::bfloat16, 2>;
constexpr auto joined = xg::concat<1>(xg::cast<float>(x), xg::cast<float>(xg::gather(table, ids)));
constexpr auto hidden = xg::tanh(xg::matmul(joined, w1) + b1);
constexpr auto loss = xg::mean(xg::square(xg::matmul(hidden, w2) + b2 - target));

/// Sums in another order end at another 16 bits now and then.
template<class View>
void check(View const& found, std::ifstream& file, int& apart) {
    double const unit = std::is_same_v<typename View::value_type, xg::bfloat16>  ? 0x1p-7
                        : std::is_same_v<typename View::value_type, xg::float16> ? 0x1p-10
                                                                                 : 1e-4;
    for (auto const& element : found) {
        double expected = 0;
        REQUIRE((file >> expected));
        double const difference = std::fabs(static_cast<double>(static_cast<float>(element)) - expected);
        apart += difference > 1e-6;
        CHECK(difference <= unit * std::fmax(std::fabs(expected), 0.01));
    }
}

}   // namespace

TEST_CASE("a million floats are rounded as NumPy rounds them") {
    auto file = reference();
    std::string name;
    std::uint64_t bfloat = 0, half = 0;
    file >> name >> bfloat >> name >> half;
    CHECK(hash_of_roundings<xg::bfloat16>() == bfloat);
    CHECK(hash_of_roundings<xg::float16>() == half);
}

TEST_CASE("a model with variables of 16 bits") {
    auto file = reference();
    for (std::string line; std::getline(file, line) && line.find("float16 ") != 0;) {}
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05, .epsilon = 1e-7});
    train.assign(table, xg::array(start(33, 0).data(), 11, 3));
    train.assign(w1, xg::array(start(48, 1).data(), 8, 6));
    train.assign(b1, start(6, 2));
    train.assign(w2, xg::array(start(12, 3).data(), 6, 2));
    train.assign(b2, start(2, 4));
    std::vector<xg::float16> images;
    for (float e : start(35, 5)) images.push_back(xg::float16(e));
    std::vector<std::int64_t> const rows{3, 0, 10, 3, 7, 3, 0};
    auto const wanted = start(14, 6);
    for (int step = 0; step < 10; ++step) {
        double expected = 0;
        REQUIRE((file >> expected));
        CHECK(train(x = xg::array(images.data(), 7, 5), ids = rows, target = xg::array(wanted.data(), 7, 2)) ==
              doctest::Approx(expected).epsilon(1e-5));
    }
    int apart = 0;
    check(train.value(table), file, apart);
    check(train.value(w1), file, apart);
    check(train.value(b1), file, apart);
    check(train.value(w2), file, apart);
    check(train.value(b2), file, apart);
    CHECK(apart <= 5);
}
