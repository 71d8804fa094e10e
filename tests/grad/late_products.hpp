// SPDX-License-Identifier: MIT
// Loops whose body multiplies by a matrix. The gradient of the matrix is one product after the loop, in place of a sum over the
// iterations. A body that is computed again keeps the sum, so both are compared.
#pragma once

#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/xgrad.hpp>

namespace late {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time_steps"};
constexpr auto h = xg::input<"h", double, batch, 16>;
constexpr auto x = xg::input<"x", double, time_steps, batch, 16>;
constexpr auto w = xg::input<"w", double, 16, 16>;
constexpr auto u = xg::input<"u", double, 16, 16>;
constexpr auto n = xg::input<"n", std::int32_t>;
constexpr auto ends = xg::input<"ends", std::int32_t, batch>;

/// The left factor of the second product is computed in the body.
struct gated : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const reset = xg::sigmoid(xg::matmul(before, w) + row);
        auto const after = xg::tanh(xg::matmul(reset * before, u) + row);
        return xg::carry(after).emit(after);
    }
};
/// One matrix three times: with the carry, with the row, and transposed.
struct reused : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const middle = xg::tanh(xg::matmul(before, w) + xg::matmul(row, w));
        auto const after = xg::tanh(xg::matmul<false, true>(middle, w) + xg::matmul(before, u));
        return xg::carry(after).emit(xg::square(after));
    }
};
/// The gradient reads the sum of product and row, so the product is kept. It has another second gradient than the row.
struct kept_term : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::sin(xg::matmul(before, w) + row) + xg::matmul(row, u);
        return xg::carry(after).emit(after);
    }
};
/// w is an operand of another operation too, so its gradient stays in the loop.
struct mixed : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::tanh(xg::matmul(before, w) + xg::matmul(row, u) * xg::sum<0>(w * xg::sum(row)));
        return xg::carry(after).emit(after);
    }
};
template<class Last, class All>
constexpr auto loss_of(Last const& last, All const& all) {
    return xg::sum(xg::square(last)) + xg::sum(all * all * all);
}
template<class Body, class Start>
constexpr auto loss_of_loop(Start const& start) {
    auto const [last, all] = xg::scan<Body>(start, x);
    return loss_of(last, all);
}
template<class Loss>
constexpr auto derivatives_of(Loss const& loss) {
    auto const first = xg::gradients(loss, w, u, h, x);
    auto const [at_w, at_u, at_h, at_x] = first;
    auto const second =
        xg::gradients(xg::sum(xg::sin(at_w)) + xg::sum(xg::square(at_u)) + xg::sum(xg::sin(at_h)) + xg::sum(xg::square(at_x)), w, u, h, x);
    return test::list_of(std::tuple_cat(first, second));
}
template<class A, class B>
void check_equal(A const& a, B const& b, double tolerance = 1e-11) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto check = [&](std::size_t k, auto const& p, auto const& q) {
            if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(p)>>)
                CHECK(p == doctest::Approx(q).epsilon(tolerance).scale(1));
            else {
                REQUIRE(p.size() == q.size());
                for (std::int64_t i = 0; i < p.size(); ++i) {
                    INFO(k << ' ' << i);
                    CHECK(p[i] == doctest::Approx(q[i]).epsilon(tolerance).scale(1));
                }
            }
        };
        (check(K, std::get<K>(a), std::get<K>(b)), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
}
inline auto const W = test::numbers<double>({16, 16}, -0.3, 0.3, 1), U = test::numbers<double>({16, 16}, -0.3, 0.3, 2),
                  H = test::numbers<double>({2, 16}, -1, 1, 3);
template<class List, class... Given>
void check_lists(List const& late, auto const& in_loop, Given const&... given) {
    test::function_of<List, true> f{late};
    test::function_of<std::remove_cvref_t<decltype(in_loop)>, false> g{in_loop};
    check_equal(f(given..., w = W, u = U, h = H), g(given..., w = W, u = U, h = H));
}
}   // namespace late
