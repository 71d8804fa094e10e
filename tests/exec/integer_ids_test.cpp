// SPDX-License-Identifier: MIT
// Ids, labels and lengths of every integer type: the same results and the same training as with int32, and the same checks.
#include <support/message_of.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim n{"n"};
constexpr auto table = xg::variable<"table", float, 300, 3>;
template<class T>
constexpr auto ids = xg::input<"ids", T, n>;
template<class T>
constexpr auto bags = xg::input<"bags", T, n, 2>;
template<class T>
constexpr auto labels = xg::input<"labels", T, n>;

/// A model that looks up rows and bags, and its labels are of the same type.
template<class T>
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::gather(table, ids<T>) + xg::embedding_bag(table, bags<T>), labels<T>));
/// What one_hot and sequence_mask give.
template<class T>
constexpr auto masks = xg::outputs(xg::one_hot<5>(ids<T>), xg::one_hot<300, std::uint8_t>(ids<T>),
    xg::cast<float>(xg::sequence_mask<4>(ids<T>)), xg::one_hot<5, bool>(ids<T>), xg::one_hot<5, std::int32_t>(ids<T>));

template<class T>
std::vector<T> as(std::vector<int> const& from) {
    return {from.begin(), from.end()};
}
std::vector<int> const rows{3, 0, 127, 3}, pairs{1, 2, 3, 3, 0, 126, 5, 1}, classes{2, 0, 1, 1};

template<class T>
std::vector<float> trained() {
    auto train = xg::minimize(loss<T>, xg::adagrad{.learning_rate = 0.5});
    train.initialize(xg::random_uniform{.seed = 3});
    std::vector<T> const in_pairs(pairs.begin(), pairs.end());
    for (int k = 0; k < 3; ++k) train(ids<T> = as<T>(rows), bags<T> = xg::array(in_pairs, 4, 2), labels<T> = as<T>(classes));
    auto const w = train.value(table);
    return {w.data(), w.data() + w.size()};
}

}   // namespace

TEST_CASE("training with ids, bags and labels of each type is the same to the bit") {
    auto const expected = trained<std::int32_t>();
    CHECK(trained<std::int8_t>() == expected);
    CHECK(trained<std::uint16_t>() == expected);
    CHECK(trained<std::uint64_t>() == expected);
}

TEST_CASE_TEMPLATE("one_hot and sequence_mask", T, std::uint8_t, std::int16_t, std::uint64_t) {
    auto f = xg::function(masks<T>);
    std::vector<T> const given{T(2), T(0), std::numeric_limits<T>::max(), T(44), T(4)};
    auto const [five, bytes, mask, truths, whole] = f(ids<T> = given);
    int wrong = 0;
    for (std::int64_t i = 0; i < 5; ++i) {
        auto const id = static_cast<std::uint64_t>(given[static_cast<std::size_t>(i)]);
        for (std::uint64_t j = 0; j < 300; ++j) {
            auto const at = static_cast<std::int64_t>(j);
            wrong += bytes(i, at) != (id == j);   // 300 is 44 in the lower 8 bits
            if (j < 5) wrong += five(i, at) != (id == j) || truths(i, at) != (id == j) || whole(i, at) != (id == j);
            if (j < 4 && id <= INT64_MAX) wrong += mask(i, at) != (j < id);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("the first id outside of the table is named, of each type") {
    constexpr auto small = xg::input<"small", float, 200, 1>;
    constexpr auto i16 = xg::input<"i16", std::int16_t, 3>;
    constexpr auto u8 = xg::input<"u8", std::uint8_t, 3>;
    constexpr auto u16 = xg::input<"u16", std::uint16_t, 3>;
    constexpr auto u32 = xg::input<"u32", std::uint32_t, 3>;
    constexpr auto u64 = xg::input<"u64", std::uint64_t, 3>;
    auto f = xg::function(xg::outputs(xg::gather(small, i16), xg::gather(small, u8), xg::gather(small, u16), xg::gather(small, u32),
        xg::gather(small, xg::reshape<3>(u64))));
    std::vector<float> const values(200, 1.0f);
    auto const call = [&](int b, int c, int d, std::uint32_t e, std::uint64_t g) {
        return test::message_of<xg::value_error>([&] {
            (void)f(small = xg::array(values, 200, 1), i16 = std::vector<std::int16_t>{0, static_cast<std::int16_t>(b), 0},
                u8 = std::vector<std::uint8_t>{0, static_cast<std::uint8_t>(c), 0},
                u16 = std::vector<std::uint16_t>{0, static_cast<std::uint16_t>(d), 0}, u32 = std::vector<std::uint32_t>{0, e, 0},
                u64 = std::vector<std::uint64_t>{0, g, 0});
        });
    };
    auto const names = [](std::string const& text, char const* index) {
        return text.find(std::string("index ") + index + " at offset 1 is out of range [0, 200)") != std::string::npos;
    };
    CHECK(call(199, 199, 199, 199, 199) == test::nothing_thrown);
    CHECK(names(call(-5, 0, 0, 0, 0), "-5"));
    CHECK(names(call(200, 0, 0, 0, 0), "200"));
    CHECK(names(call(0, 255, 0, 0, 0), "255"));
    CHECK(names(call(0, 0, 65535, 0, 0), "65535"));
    CHECK(names(call(0, 0, 0, 4294967295u, 0), "4294967295"));
    CHECK(names(call(0, 0, 0, 0, 200), "200"));
    CHECK(names(call(0, 0, 0, 0, std::uint64_t{1} << 63), "9223372036854775808"));
    CHECK(names(call(0, 0, 0, 0, ~std::uint64_t{0}), "18446744073709551615"));
}

TEST_CASE("computed ids are checked by the lookup, also above 2^63") {
    constexpr auto small = xg::input<"small", float, 10, 2>;
    auto f = xg::function(xg::outputs(xg::gather(small, ids<std::uint64_t> * 2_c), xg::embedding_bag(small, bags<std::int8_t> + 1_c)));
    std::vector<float> const values(20, 1.5f);
    auto const call = [&](std::vector<std::uint64_t> const& a, std::vector<std::int8_t> const& b) {
        return test::message_of<xg::value_error>([&] {
            auto const [looked_up, sums] =
                f(small = xg::array(values, 10, 2), ids<std::uint64_t> = a, bags<std::int8_t> = xg::array(b, 1, 2));
            CHECK(looked_up(0, 1) + sums(0, 0) == 4.5f);
        });
    };
    CHECK(call({4}, {8, -1}) == test::nothing_thrown);
    CHECK(call({5}, {8, 0}).find("gather: the index 10 is out of range [0, 10)") != std::string::npos);
    CHECK(call({std::uint64_t{1} << 62}, {8, 0}).find("out of range") != std::string::npos);
    CHECK(call({4}, {127, 0}).find("out of range") != std::string::npos);   // 128 wraps around to -128
}
