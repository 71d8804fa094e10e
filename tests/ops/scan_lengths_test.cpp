// SPDX-License-Identifier: MIT
// Loops whose rows have different lengths: numbers of JAX, with NaN after the end of each row. scan_lengths_forms_test.cpp checks other
// forms.
#include <support/function_of.hpp>
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time_steps"};
constexpr auto h = xg::input<"h", double, batch, 3>;
constexpr auto x = xg::input<"x", double, time_steps, batch, 2>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto w = xg::input<"w", double, 3, 3>;
constexpr auto u = xg::input<"u", double, 2, 3>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::tanh(xg::matmul(before, w) + xg::matmul(row, u));
        return xg::carry(after).emit(xg::square(after));
    }
};
template<class Body, class Lengths>
constexpr auto derivatives(Lengths const& lengths) {
    auto const [last, outputs] = xg::scan<Body>(xg::carry(h).lengths(lengths), x);
    auto const first = xg::gradients(xg::sum(xg::square(last)) + xg::sum(outputs * outputs * outputs), h, x, w, u);
    auto const [at_h, at_x, at_w, at_u] = first;
    auto const second = xg::gradients(xg::sum(xg::sin(at_h)) + xg::sum(xg::square(at_w)) + xg::sum(xg::square(at_x)), h, x, w, u);
    return test::list_of(std::tuple_cat(std::tuple{last, outputs}, first, second));
}

// As in reference/lengths.py.
test::tensor<double> numbers(std::int64_t k, std::vector<std::int64_t> shape) {
    test::tensor<double> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<double>((7 * i + 3 * k) % 13 - 6) / 8;
    return r;
}
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr int lengths_of_jax[]{3, 0, 5, 1};

template<class Results>
void check_numbers_of_jax(Results const& results) {
    static auto const expected = test::read_reference("lengths.txt");
    static char const* const names[]{"last", "outputs", "at_h", "at_x", "at_w", "at_u", "second_h", "second_x", "second_w", "second_u"};
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto check = [&](std::string const& name, auto const& view) {
            auto const& e = expected.at(name);
            REQUIRE(static_cast<std::size_t>(view.size()) == e.size());
            for (std::size_t i = 0; i < e.size(); ++i) {
                INFO(name << ' ' << i);
                CHECK(view[static_cast<std::int64_t>(i)] == doctest::Approx(e[i]).epsilon(1e-12).scale(1));
            }
        };
        (check(names[K], std::get<K>(results)), ...);
    }(std::make_index_sequence<10>{});
}
template<bool Fuse, class Body, class Id, class Lengths>
void check_against_jax(Lengths const& lengths) {
    constexpr auto list = derivatives<Body>(Lengths{});
    test::function_of<std::remove_const_t<decltype(list)>, Fuse> f{list};
    auto X = numbers(1, {5, 4, 2});
    test::tensor<Id> ends({4});
    for (std::int64_t row = 0; row < 4; ++row) {
        ends[row] = lengths_of_jax[row];
        for (std::int64_t t = ends[row]; t < 5; ++t) X[(t * 4 + row) * 2] = X[(t * 4 + row) * 2 + 1] = nan_value;
    }
    check_numbers_of_jax(f(h = numbers(0, {4, 3}), x = X, w = numbers(2, {3, 3}), u = numbers(3, {2, 3}), lengths = ends));
}
}

TEST_CASE("values and two derivatives of a recurrent layer are those of JAX, and NaN after the end of a row changes nothing") {
    check_against_jax<true, cell, std::int32_t>(n);
}
TEST_CASE("lengths of 64 bits, with a body that is computed again, without the planner") {
    check_against_jax<false, xg::recompute<cell>, std::int64_t>(xg::input<"n64", std::int64_t, batch>);
}
