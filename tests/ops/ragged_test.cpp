// SPDX-License-Identifier: MIT
// Rows of different lengths: chosen rows, filled rows, ranges, more elements than places, no elements, wrong ids, gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/sparse/ragged.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim count{"count"};
inline constexpr xg::dim rows{"rows"};

constexpr auto values = xg::input<"values", double, count, 2>;
constexpr auto offsets = xg::input<"offsets", std::int32_t, rows>;
constexpr auto ids = xg::input<"ids", std::int64_t, 4>;

test::tensor<double> numbers_of(std::int64_t n) { return test::numbers<double>({n, 2}, 1, 2); }
}

TEST_CASE("chosen rows, with an empty one, one that occurs twice, and more elements than places") {
    constexpr auto chosen = xg::ragged_gather<7>(values, offsets, ids);
    constexpr auto few = xg::ragged_gather<3>(values, offsets, ids);
    xg::function f{xg::outputs(std::get<0>(chosen), std::get<1>(chosen), std::get<0>(few), std::get<1>(few),
        xg::gradient_of(xg::sum(xg::square(std::get<0>(few))), values))};
    for (auto const& starts : {std::vector<std::int32_t>{0, 2, 2, 5, 6}, std::vector<std::int32_t>{0, 0, 0, 0, 0}}) {
        std::int64_t const n = starts.back();
        auto const V = numbers_of(n);
        auto const I = test::list<std::int64_t>({2, 1, 0, 2});
        auto const [y, at, short_y, short_at, slope] = f(values = V, offsets = starts, ids = I);
        std::vector<std::int64_t> from;
        std::vector<double> wanted(static_cast<std::size_t>(2 * n));
        for (std::int64_t k = 0; k < 4; ++k) {
            CHECK((at[k] == static_cast<std::int32_t>(from.size()) && short_at[k] == at[k]));
            for (auto e = starts[static_cast<std::size_t>(I[k])]; e < starts[static_cast<std::size_t>(I[k] + 1)]; ++e) from.push_back(e);
        }
        CHECK(at[4] == static_cast<std::int32_t>(from.size()));
        for (std::size_t p = 0; p < 7; ++p)
            for (std::size_t c = 0; c < 2; ++c) {
                double const e = p < from.size() ? V[from[p] * 2 + static_cast<std::int64_t>(c)] : 0;
                CHECK(y(static_cast<std::int64_t>(p), static_cast<std::int64_t>(c)) == e);
                if (p >= 3) continue;
                CHECK(short_y(static_cast<std::int64_t>(p), static_cast<std::int64_t>(c)) == e);
                if (p < from.size()) wanted[static_cast<std::size_t>(from[p] * 2) + c] += 2 * e;
            }
        for (std::int64_t i = 0; i < 2 * n; ++i) CHECK(slope[i] == wanted[static_cast<std::size_t>(i)]);
        for (std::int64_t const wrong : {4, -1})
            CHECK_THROWS_AS(f(values = V, offsets = starts, ids = test::list<std::int64_t>({0, 1, wrong, 0})), xg::value_error);
    }
}

TEST_CASE("empty rows get a number, and their gradient goes to it") {
    constexpr auto number = xg::input<"number", double>;
    constexpr auto filled = xg::ragged_fill_empty_rows(values, offsets, number);
    constexpr auto loss = xg::sum(xg::square(std::get<0>(filled)));
    xg::function f{xg::outputs(
        std::get<0>(filled), std::get<1>(filled), std::get<2>(filled), xg::gradient_of(loss, values), xg::gradient_of(loss, number))};
    auto const starts = test::list<std::int32_t>({0, 0, 2, 2, 2, 3});
    auto const V = numbers_of(3);
    auto const [y, at, empty, slope, of_number] = f(values = V, offsets = starts, number = 7.0);
    std::int32_t const ends[]{0, 1, 3, 4, 5, 6};
    int const from[]{-1, 0, 1, -1, -1, 2};
    for (std::int64_t r = 0; r < 6; ++r) CHECK(at[r] == ends[r]);
    for (std::int64_t r = 0; r < 5; ++r) CHECK(empty[r] == (r == 0 || r == 2 || r == 3));
    for (std::int64_t p = 0; p < 8; ++p)
        for (std::int64_t c = 0; c < 2; ++c) CHECK(y(p, c) == (p > 5 ? 0 : from[p] < 0 ? 7 : V[from[p] * 2 + c]));
    for (std::int64_t i = 0; i < 6; ++i) CHECK(slope[i] == 2 * V[i]);
    CHECK(of_number == 2 * 7 * 2 * 3);
    auto const none = f(values = numbers_of(0), offsets = test::list<std::int32_t>({0, 0}), number = 1.5);
    CHECK((std::get<0>(none).shape(0) == 1 && std::get<0>(none)(0, 1) == 1.5));
}

TEST_CASE_TEMPLATE("ranges up, down and empty, and more numbers than places", T, std::int32_t, double) {
    constexpr auto first = xg::input<"first", T, 5>;
    constexpr auto limit = xg::input<"limit", T, 5>;
    constexpr auto by = xg::input<"by", T, 5>;
    constexpr auto all = xg::ragged_range<12>(first, limit, by);
    constexpr auto few = xg::ragged_range<4>(first, limit, by);
    xg::function f{xg::outputs(std::get<0>(all), std::get<1>(all), std::get<0>(few), std::get<1>(few))};
    auto const [y, offsets, short_y, short_offsets] = f(first = test::list<T>({0, 7, 3, 5, 2}), limit = test::list<T>({5, 1, 3, 9, 8}),
        by = test::list<T>({2, -3, 1, 0, 3}));   // TensorFlow: 0 2 4, 7 4, nothing, and 2 5
    T const wanted[]{0, 2, 4, 7, 4, 2, 5, 0, 0, 0, 0, 0};
    std::int32_t const starts[]{0, 3, 5, 5, 5, 7};
    for (std::int64_t i = 0; i < 12; ++i) CHECK(y[i] == wanted[i]);
    for (std::int64_t i = 0; i < 4; ++i) CHECK(short_y[i] == wanted[i]);
    for (std::int64_t i = 0; i < 6; ++i) CHECK((offsets[i] == starts[i] && short_offsets[i] == starts[i]));
}
