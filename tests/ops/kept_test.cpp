// SPDX-License-Identifier: MIT
// Values that bodies keep for their gradients, compared with bodies that compute them again. What is kept, and its memory.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
constexpr auto x = xg::input<"x", double, 4, 6>;
constexpr auto w = xg::input<"w", double, 3, 6, 6>;
constexpr auto u = xg::input<"u", double, 6, 6>;
constexpr auto rows = xg::input<"rows", double, 5, 4, 6>;
constexpr auto number = xg::input<"number", std::int32_t>;

// A product, a normalized row, a softmax, the result of a lookup: costly values with cheap ones between them.
struct layer : xg::region {
    static constexpr auto value(auto h, auto m) {
        auto const z = xg::matmul(h, m) + 0.1_c;
        auto const centered = z - xg::mean<1>(z, xg::keep_dims);
        auto const scaled = centered / xg::sqrt(xg::mean<1>(xg::square(centered), xg::keep_dims) + 0.01_c);
        return h + xg::softmax(xg::relu(scaled) * 2_c) * xg::tanh(xg::matmul(scaled, u));
    }
};
struct block : xg::region {
    static constexpr auto value(auto h) { return xg::exp(0_c - xg::square(xg::matmul(h, u))); }
};
// A loop and a call in the body. The gradient reads one of the emitted values.
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(xg::matmul(xg::call<block>(h), u) + row);
        return xg::carry(next * 0.5_c + h).emit(next, xg::sum(next * h));
    }
};
struct tanh_layer : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
template<bool Again, class Body>
using body = std::conditional_t<Again, xg::recompute<Body>, Body>;
template<bool Again>
constexpr auto model() {
    auto const y = xg::layers<3, body<Again, layer>>(x, w);
    auto const [last, all, sums] = xg::scan<body<Again, cell>>(xg::carry(y).turns(number), rows);
    return xg::sum(xg::square(last)) + xg::sum(all * all * all) + xg::sum(sums) + xg::sum(xg::call<body<Again, block>>(y));
}
template<bool Again>
constexpr auto derivatives() {
    constexpr auto loss = model<Again>();
    auto const first = xg::gradients(loss, x, w, u, rows);
    auto const second = xg::gradients(xg::sum(xg::sin(std::get<0>(first))) + xg::sum(xg::square(std::get<2>(first))), x, w, u, rows);
    return list_of(std::tuple_cat(std::tuple{loss}, first, second));
}
}

TEST_CASE("kept values give the derivatives that values computed again give, of two orders and for each number of iterations") {
    constexpr auto kept = derivatives<false>();
    constexpr auto again = derivatives<true>();
    function_of<std::remove_const_t<decltype(kept)>, true> f{kept};
    function_of<std::remove_const_t<decltype(again)>, true> g{again};
    auto const X = test::numbers<double>({4, 6}), W = test::numbers<double>({3, 6, 6}, -0.5, 0.5, 2);
    auto const U = test::numbers<double>({6, 6}, -0.5, 0.5, 3), R = test::numbers<double>({5, 4, 6}, -1, 1, 4);
    for (std::int32_t n : {5, 0, 1, 2}) {
        auto const a = f(x = X, w = W, u = U, rows = R, number = n);
        auto const b = g(x = X, w = W, u = U, rows = R, number = n);
        CHECK(std::get<0>(a) == doctest::Approx(std::get<0>(b)).epsilon(1e-13));
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            auto same = [](auto const& p, auto const& q) {
                REQUIRE(p.size() == q.size());
                for (std::int64_t i = 0; i < p.size(); ++i) CHECK(p[i] == doctest::Approx(q[i]).epsilon(1e-10).scale(1));
            };
            (same(std::get<K + 1>(a), std::get<K + 1>(b)), ...);
        }(std::make_index_sequence<8>{});
    }
}

TEST_CASE("the backward pass of a kept product has no forward product; recompute has one and less memory") {
    constexpr auto v = xg::input<"v", float, 20, 64, 64>;
    constexpr auto start = xg::input<"start", float, 32, 64>;
    using kept = decltype(xg::function{xg::gradient_of(xg::sum(xg::layers<20, tanh_layer>(start, v)), v)});
    using again = decltype(xg::function{xg::gradient_of(xg::sum(xg::layers<20, xg::recompute<tanh_layer>>(start, v)), v)});
    auto products = [](std::string const& text) {
        int n = 0;
        for (std::size_t at = 0; (at = text.find("matmul", at)) != std::string::npos; ++at) ++n;
        return n;
    };
    CHECK(products(xg::describe<kept>()) == 3);
    CHECK(products(xg::describe<again>()) == 4);
    constexpr std::int64_t rows_of_all = 20 * 32 * 64 * 4;
    static_assert(xg::cost_of<kept>.arena_bytes() - xg::cost_of<again>.arena_bytes() > rows_of_all / 2);
    static_assert(xg::cost_of<kept>.arena_bytes() - xg::cost_of<again>.arena_bytes() <= rows_of_all);
}
