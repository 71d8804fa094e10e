// SPDX-License-Identifier: MIT
// Results in the caller's memory: equal to the results that the function stores, nothing next to them touched, nothing written where it
// must not be.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto w = xg::variable<"w", float, 5, 3>;
constexpr auto y = xg::softmax<1>(xg::matmul(x, w));

std::vector<float> ramp(std::size_t n) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = 0.01f * static_cast<float>(i % 17) - 0.05f;
    return v;
}
/// The memory of a result between guards. It ends where an allocation ends, so that AddressSanitizer sees accesses after its end.
struct guarded {
    std::vector<float> memory;
    explicit guarded(std::size_t n, std::size_t before = 3) : memory(before + n, -7.0f) {}
    std::span<float> part(std::size_t before = 3) { return std::span(memory).subspan(before); }
    bool intact() const { return memory[0] == -7.0f && memory[1] == -7.0f && memory[2] == -7.0f; }
};
template<class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (xg::error const& e) { return e.what(); }
    return "no exception";
}
}

TEST_CASE("a result in the caller's memory has the bits of the function's own") {
    auto vars = xg::variables(y);
    vars.initialize(xg::glorot_uniform{.seed = 3});
    xg::function f{y, vars};
    for (std::size_t rows : {1, 2, 7, 64, 3, 200}) {
        auto const data = ramp(rows * 5);
        auto const a = xg::array(data, rows, 5);
        std::vector<float> const own = f(x = a);
        guarded there(rows * 3);
        f.into(there.part())(x = a);
        CHECK(std::vector<float>(there.part().begin(), there.part().end()) == own);
        CHECK(there.intact());
        std::vector<float> const again = f(x = a);   // back in its own memory
        CHECK(again == own);
        auto const moved = there.memory;
        auto const other = ramp(rows * 5 + 1);
        f(x = xg::array(other.data() + 1, rows, 5));
        CHECK(there.memory == moved);
    }
}

TEST_CASE("numbers are returned, arrays are taken in the order of the outputs") {
    auto const loss = xg::sum(xg::square(y));
    auto const [slope] = xg::gradients(loss, w);
    auto vars = xg::variables(y);
    vars.initialize(xg::glorot_uniform{.seed = 3});
    xg::function f{xg::outputs(loss, slope, y, xg::mean(y)), vars};
    auto const data = ramp(4 * 5);
    auto const a = xg::array(data, 4, 5);
    auto const [own_loss, own_slope, own_y, own_mean] = f(x = a);
    std::vector<float> const expected_slope = own_slope, expected_y = own_y;
    float slopes[5][3];
    std::vector<float> rows(12);
    auto fill = f.into(slopes, rows);
    auto const [number, mean] = fill(x = a);
    CHECK(number == own_loss);
    CHECK(mean == own_mean);
    CHECK(std::vector<float>(&slopes[0][0], &slopes[0][0] + 15) == expected_slope);
    CHECK(rows == expected_y);
    CHECK(std::get<1>(f.result()).data() == &slopes[0][0]);   // the last results are where they were written

    rows.assign(12, 0.0f);
    REQUIRE(fill.try_call(x = a));
    CHECK(rows == expected_y);
    CHECK(std::get<0>(fill.numbers()) == own_loss);
}

TEST_CASE("views, parts and one result twice are copied") {
    constexpr auto s = xg::input<"s", float, batch, 4>;
    auto const t = xg::exp(s);
    xg::function f{xg::outputs(t, xg::transpose(t), xg::reshape<4 * batch>(t), xg::slice<0, 0, 1>(t), t, s)};
    auto const data = ramp(3 * 4);
    std::vector<float> a(12), b(12), c(12), d(4), e(12), g(12);
    f.into(a, b, c, d, e, g)(s = xg::array(data, 3, 4));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) CHECK(b[j * 3 + i] == a[i * 4 + j]);
    CHECK(a[5] == doctest::Approx(std::exp(data[5])));
    CHECK(c == a);
    CHECK(std::equal(d.begin(), d.end(), a.begin()));
    CHECK(e == a);
    CHECK(g == data);
}

TEST_CASE("of a value that is larger than the result only the result is written") {
    constexpr auto s = xg::input<"s", float, batch, 4>;
    auto const t = xg::matmul(s, xg::transpose(s));   // [3, 3]
    xg::function f{xg::outputs(xg::slice<0, 0, 1>(t), xg::slice<0, 2, 3>(t), xg::sum(t))};
    auto const data = ramp(3 * 4);
    auto const [first, last, total] = f(s = xg::array(data, 3, 4));
    std::vector<float> const first_row = first, last_row = last;
    std::vector<float> a(9, -7.0f), b(9, -7.0f);
    CHECK(f.into(std::span(a).first(3), std::span(b).first(3))(s = xg::array(data, 3, 4)) == total);
    CHECK(std::vector<float>(a.begin(), a.begin() + 3) == first_row);
    CHECK(std::vector<float>(b.begin(), b.begin() + 3) == last_row);
    for (std::size_t k = 3; k < 9; ++k) {
        CHECK(a[k] == -7.0f);
        CHECK(b[k] == -7.0f);
    }
}

TEST_CASE("what fits no result is refused before anything is written") {
    auto vars = xg::variables(y);
    vars.initialize(xg::glorot_uniform{.seed = 3});
    xg::function f{xg::outputs(y, xg::square(y)), vars};
    auto data = ramp(4 * 5);
    auto const a = xg::array(data, 4, 5);
    std::vector<float> first(12, 1.0f), second(16, 2.0f);
    std::vector<float> const first_before = first, second_before = second;
    CHECK(message_of([&] { f.into(first, second)(x = a); }) ==
          "xgrad: into(...): array 2 has 16 elements, the result that is written into it has 12");
    CHECK(message_of([&] {
        auto const shaped = xg::array(second.data(), 3, 4);
        f.into(first, shaped)(x = a);
    }) == "xgrad: into(...): array 2: axis 0 must have extent 4, as the result that is written into it; it has 3");
    CHECK(message_of([&] {
        auto const shaped = xg::array(second.data(), 4, 4);   // as if the memory were large enough
        f.into(first, shaped)(x = a);
    }) == "xgrad: into(...): array 2: axis 1 must have extent 3, as the result that is written into it; it has 4");
    CHECK(message_of([&] {
        auto const shaped = xg::array(first.data(), 12);
        f.into(shaped, second)(x = a);
    }) == "xgrad: into(...): array 1 has rank 1, the result that is written into it has rank 2");
    CHECK(message_of([&] {
        float* const nowhere = nullptr;
        f.into(xg::array(nowhere, 4, 3), first)(x = a);
    }) == "xgrad: into(...): array 1 has no memory: its address is null");
    CHECK_THROWS_AS(f.into(first, second)(x = a), xg::shape_error);
    // memory that is in use
    CHECK(message_of([&] { f.into(std::span(data).first(12), first)(x = a); }) ==
          "xgrad: into(...): array 1 shares memory with an input, which is read while results are written: \"x\"");
    CHECK(message_of([&] { f.into(std::span(data).last(12), first)(x = a); }).find("input") != std::string::npos);
    CHECK(message_of([&] { f.into(first, std::span(first))(x = a); }) == "xgrad: into(...): array 2 shares memory with one before it");
    CHECK(message_of([&] { f.into(first, vars.value(w))(x = a); }).find("has rank") == std::string::npos);
    CHECK_THROWS_AS(f.into(first, first)(x = a), xg::binding_error);
    auto const [own, squares] = f(x = a);
    CHECK(message_of([&] { f.into(first, std::span(const_cast<float*>(own.data()), 12))(x = a); }) ==
          "xgrad: into(...): array 2 is memory of the function itself, an earlier result of it");
    CHECK(first == first_before);
    CHECK(second == second_before);
    CHECK(f.into(first, std::span(second).first(12)).try_call(x = a).code == xg::status_code::ok);
    CHECK(f.into(first, second).try_call(x = a).code == xg::status_code::wrong_array);
    CHECK(f.into(first, first).try_call(x = a).code == xg::status_code::refused_array);
}

TEST_CASE("variables are not written") {
    constexpr auto v = xg::variable<"v", float, 4>;
    auto vars = xg::variables(v);
    vars.value(v)(2) = 5.0f;
    xg::function f{v * 2.0_c, vars};
    CHECK(message_of([&] { f.into(vars.value(v))(); }) ==
          "xgrad: into(...): array 1 is memory of the variables or of their optimizer, which a function does not change");
    auto train = xg::minimize(xg::sum(xg::square(v)), xg::adam{}, vars);
    CHECK(message_of([&] { f.into(train.slot(v, "m"))(); }) ==
          "xgrad: into(...): array 1 is memory of the variables or of their optimizer, which a function does not change");
    std::vector<float> doubled(4);
    f.into(doubled)();
    CHECK(doubled[2] == 10.0f);
    xg::function same{v, vars};   // the variable itself
    same.into(doubled)();
    CHECK(doubled[2] == 5.0f);
}

TEST_CASE("a number that is an element of a result does not change with the caller's array") {
    constexpr auto s = xg::input<"s", float, batch>;
    auto const t = xg::exp(s);
    xg::function f{xg::outputs(t, xg::sum(xg::slice<0, 0, 1>(t)))};
    std::vector<float> const in{1, 2, 3};
    std::vector<float> out(3);
    auto fill = f.into(out);
    float const number = fill(s = in);
    CHECK(out[0] == number);
    out.assign(3, -1.0f);
    CHECK(fill.numbers() == number);
}

TEST_CASE("an empty input within an array is no part of it") {
    constexpr auto s = xg::input<"s", float, batch>;
    constexpr auto r = xg::input<"r", float, 2>;
    std::vector<float> out(2);
    std::vector<float> const two{1, 2};
    xg::function{xg::concat<0>(s, r)}.into(out)(s = std::span<float const>(out).subspan(1, 0), r = two);
    CHECK(out == two);
}

TEST_CASE("a function without a name, results of no elements, sizes that change") {
    std::vector<float> out(3);
    constexpr auto s = xg::input<"s", float, batch>;
    std::vector<float> const three{1, 2, 3}, none;
    xg::function{s + 1.0_c}.into(out)(s = three);
    CHECK(out == std::vector<float>{2, 3, 4});
    auto kept = xg::function{s * 2.0_c}.into(out);
    kept(s = three);
    CHECK(out == std::vector<float>{2, 4, 6});
    std::vector<float> empty;
    xg::function{s + 1.0_c}.into(empty)(s = none);
    CHECK(message_of([&] { kept(s = none); }) == "xgrad: into(...): array 1 has 3 elements, the result that is written into it has 0");
    kept(s = three);
    CHECK(out == std::vector<float>{2, 4, 6});
}

TEST_CASE("an index out of range leaves the function usable") {
    constexpr auto table = xg::input<"table", float, batch, 2>;
    constexpr auto ids = xg::input<"ids", std::int64_t, 3>;
    xg::function f{xg::gather(table, ids) + 1.0_c};
    std::vector<float> const rows{1, 2, 3, 4};
    std::vector<std::int64_t> good{1, 0, 1}, bad{1, 2, 0};
    std::vector<float> out(6);
    CHECK_THROWS_AS(f.into(out)(table = xg::array(rows, 2, 2), ids = bad), xg::value_error);
    f.into(out)(table = xg::array(rows, 2, 2), ids = good);
    CHECK(out == std::vector<float>{4, 5, 2, 3, 4, 5});
}
