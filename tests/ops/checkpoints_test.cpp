// SPDX-License-Identifier: MIT
// Loops with gradient_checkpoints compared with the same loops without: values, two derivatives, memory. checkpoints_forms_test.cpp
// checks other forms.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/inspect/cost.hpp>

#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
constexpr auto h = xg::input<"h", double, 4, 3>;
constexpr auto u = xg::input<"u", double, 3, 3>;
constexpr auto rows = xg::input<"rows", double, 11, 4, 3>;
constexpr auto number = xg::input<"number", std::int32_t>;
// The gradient reads a carry that is an integer, too.
struct cell : xg::region {
    static constexpr auto value(auto before, auto count, auto row) {
        auto const after = xg::tanh(xg::matmul(before, u) + row) * xg::sin(xg::cast<double>(count));
        return xg::carry(after, count + 1_c).emit(xg::sum<1>(after * before), count);
    }
};
template<class Body, bool Counted>
constexpr auto derivatives() {
    auto const start = xg::carry(h, xg::constant<std::int32_t, 1>);
    auto const outputs = [&] {
        if constexpr (Counted) return xg::scan<Body>(start.turns(number), rows);
        else return xg::scan<Body>(start, rows);
    }();
    auto const [last, count, sums, counts] = outputs;
    auto const first = xg::gradients(xg::sum(xg::square(last)) + xg::sum(sums * sums * sums), h, u, rows);
    auto const [at_h, at_u, at_rows] = first;
    auto const second = xg::gradients(xg::sum(xg::sin(at_h)) + xg::sum(xg::square(at_u)) + xg::sum(xg::square(at_rows)), h, u, rows);
    return list_of(std::tuple_cat(outputs, first, second));
}
template<class Results>
void check_same(Results const& a, Results const& b) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto same = [](std::size_t result, auto const& p, auto const& q) {
            if constexpr (requires { p.size(); }) {
                REQUIRE(p.size() == q.size());
                for (std::int64_t i = 0; i < p.size(); ++i) {
                    INFO("result " << result << ", element " << i);
                    CHECK(p[i] == doctest::Approx(q[i]).epsilon(1e-11).scale(1));
                }
            } else CHECK(p == q);
        };
        (same(K, std::get<K>(a), std::get<K>(b)), ...);
    }(std::make_index_sequence<std::tuple_size_v<Results>>{});
}
template<class Body, bool Counted, bool Fuse = true>
auto function_with() {
    constexpr auto list = derivatives<Body, Counted>();
    return function_of<std::remove_const_t<decltype(list)>, Fuse>{list};
}
auto const H = test::numbers<double>({4, 3}), U = test::numbers<double>({3, 3}, -1, 1, 2), R = test::numbers<double>({11, 4, 3}, -1, 1, 3);
}

TEST_CASE("values and two derivatives are those without checkpoints, for each number of iterations") {
    auto plain = function_with<cell, true>();
    auto segments = function_with<xg::gradient_checkpoints<cell, 4>, true>();
    for (std::int32_t n : {11, 0, 1, 4, 7, 8, 9})
        check_same(plain(h = H, u = U, rows = R, number = n), segments(h = H, u = U, rows = R, number = n));
    for (std::int32_t n : {-1, 12}) {
        std::string message;
        try {
            static_cast<void>(segments(h = H, u = U, rows = R, number = n));
        } catch (xg::value_error const& e) { message = e.what(); }
        INFO(message);
        CHECK(message.find("a loop over the body \"cell\" has " + std::to_string(n) + " iterations") != std::string::npos);
        CHECK(message.find("outside of [0, 11]") != std::string::npos);
    }
}
