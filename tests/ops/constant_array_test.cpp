// SPDX-License-Identifier: MIT
// Arrays of constants: values, gradients through them, bodies, indices, arrays that are bound by name.
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/ops/constant_array.hpp>
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr float weights[] = {0.5f, -2.0f, std::numeric_limits<float>::infinity()};
inline constexpr std::array<std::array<double, 2>, 3> nested{{{1, 2}, {3, 4}, {5, std::numeric_limits<double>::quiet_NaN()}}};
inline constexpr std::int32_t places[2][2] = {{2, 0}, {0, 1}};
inline constexpr std::int64_t far[] = {1, 7};
inline constexpr bool kept[] = {true, false, true};
inline constexpr float scale[3] = {1, 2, 4};

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim rows{"rows"};
inline constexpr auto x = xg::input<"x", float, batch, 3>;
inline constexpr auto w = xg::variable<"w", float, 3>;

inline constexpr double scales[3] = {1, 2, 4};
struct cell : xg::region {
    static constexpr auto value(auto s, auto row) { return xg::carry(xg::tanh(s + row * xg::constant_array<scales>)); }
};

auto first_table() {
    static constexpr float table[3] = {1, 1, 1};
    return xg::constant_array<table>;
}
auto second_table() {
    static constexpr float table[3] = {10, 10, 10};
    return xg::constant_array<table>;
}
}

TEST_CASE("constant arrays have the shape, type and values of the array, inf and NaN too") {
    static_assert(xg::value_of<decltype(xg::constant_array<nested>)>.dims == xg::make_shape<3, 2>());
    xg::function f{xg::outputs(x * xg::constant_array<weights>, xg::constant_array<nested> * 2_c,
        xg::select(xg::constant_array<kept>, x, 0_c), xg::gather(xg::transpose(x), xg::constant_array<places>))};
    std::vector<float> const v{1, 2, 3, 4, 5, 6};
    auto const [product, table, chosen, read] = f(x = xg::array(v, 2, 3));
    CHECK(product(0, 0) == 0.5f);
    CHECK(product(1, 1) == -10.0f);
    CHECK(std::isinf(product(1, 2)));
    CHECK(table(2, 0) == 10.0);
    CHECK(std::isnan(table(2, 1)));
    CHECK(chosen(1, 1) == 0.0f);
    CHECK(chosen(1, 2) == 6.0f);
    CHECK(read(0, 0, 1) == 6.0f);   // row 2 of the transposed x
    CHECK(read(1, 1, 0) == 2.0f);
}

TEST_CASE("two arrays of one name are two constants; equal uses are one input") {
    xg::function f{xg::outputs(xg::sum(x * first_table()), xg::sum(x * second_table()) + xg::sum(x * second_table()))};
    std::vector<float> const v{1, 2, 3};
    auto const [one, ten] = f(x = xg::array(v, 1, 3));
    CHECK(one == 6.0f);
    CHECK(ten == 120.0f);
}

TEST_CASE("constant arrays in bodies and gradients") {
    constexpr auto start = xg::input<"start", double, 3>;
    constexpr auto steps = xg::input<"steps", double, 4, 3>;
    auto const total = std::get<0>(xg::scan<cell>(xg::carry(start), steps));
    auto const loss = xg::sum(xg::square(total) * xg::constant_array<scales>);
    auto const a = test::numbers<double>({4, 3}), s = test::numbers<double>({3}, -1, 1, 2);
    auto const report = xg::check_gradients(loss, xg::wrt(start, steps), start = s, steps = a);
    CHECK_MESSAGE(report.ok, report.message);
}

TEST_CASE("an index in a constant array is checked like that of an input") {
    constexpr auto table = xg::input<"table", float, rows, 2>;
    xg::function f{xg::gather(table, xg::constant_array<far>)};
    std::vector<float> const seven(14, 1.0f), eight(16, 2.0f);
    CHECK(f(table = xg::array(eight, 8, 2))(1, 1) == 2.0f);
    CHECK_THROWS_AS(f(table = xg::array(seven, 7, 2)), xg::value_error);
}

TEST_CASE("trainers, and arrays that are bound by name, need no argument for a constant array") {
    constexpr auto loss = xg::mean(xg::square((x - w) * xg::constant_array<scale>));
    std::vector<float> const v{1, 2, 3};
    auto train = xg::minimize(loss, xg::gradient_descent{0.1});
    train(x = xg::array(v, 1, 3));
    CHECK(train.value(w)(2) == doctest::Approx(0.1 * 2 * 3 * 16 / 3));
    xg::any_trainer any = xg::minimize(loss, xg::gradient_descent{0.1});
    REQUIRE(any.inputs().size() == 1);
    CHECK(any({{"x", xg::array(v, 1, 3)}}) == doctest::Approx((1.0 + 16.0 + 144.0) / 3));
    try {
        any({{"y", xg::array(v, 1, 3)}});
        CHECK(false);
    } catch (xg::binding_error const& e) { CHECK(std::string_view(e.what()).find("it has \"x\"") != std::string_view::npos); }
    CHECK(xg::describe(train).find("constant") != std::string::npos);
}
