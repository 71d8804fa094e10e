// SPDX-License-Identifier: MIT
// What the tests of kept values share: a body that keeps values or computes them again, and derivatives of two orders.
#pragma once
#include <support/function_of.hpp>
#include <support/tensor.hpp>

namespace kept_values_test {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
constexpr auto x = xg::input<"x", double, 4, 6>;
constexpr auto u = xg::input<"u", double, 6, 6>;
struct block : xg::region {
    static constexpr auto value(auto h) { return xg::exp(0_c - xg::square(xg::matmul(h, u))); }
};
template<bool Again, class Body>
using body = std::conditional_t<Again, xg::recompute<Body>, Body>;
template<class Model>
constexpr auto derivatives() {
    return list_of(std::tuple_cat(std::tuple{Model::loss}, Model::first, Model::second));
}
inline auto const X = test::numbers<double>({4, 6}), U = test::numbers<double>({6, 6}, -0.5, 0.5, 3);
template<class A, class B>
void same(A const& a, B const& b) {
    CHECK(std::get<0>(a) == doctest::Approx(std::get<0>(b)).epsilon(1e-13));
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto equal = [](auto const& p, auto const& q) {
            REQUIRE(p.size() == q.size());
            for (std::int64_t i = 0; i < p.size(); ++i) CHECK(p[i] == doctest::Approx(q[i]).epsilon(1e-10).scale(1));
        };
        (equal(std::get<K + 1>(a), std::get<K + 1>(b)), ...);
    }(std::make_index_sequence<6>{});
}
}   // namespace kept_values_test
