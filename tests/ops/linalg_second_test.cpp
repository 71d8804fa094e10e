// SPDX-License-Identifier: MIT
// Linear algebra: first and second derivatives, by finite differences.
#include <support/tensor.hpp>

#include <xgrad/ops/linalg.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr auto a = xg::input<"a", double, batch, 3, 3>;
constexpr auto b = xg::input<"b", double, batch, 3, 2>;
constexpr auto positive = xg::matmul<false, true>(a, a) + xg::eye<3, double>();
}

TEST_CASE("second derivatives of factors") {
    constexpr auto l = xg::cholesky(positive);
    constexpr auto q_r = xg::qr(a);
    constexpr auto e_v = xg::eigh(positive);
    constexpr auto loss = xg::sum(xg::sin(xg::cholesky_solve(l, b))) + xg::sum(xg::logdet(positive)) +
                          xg::sum(xg::sin(xg::square(std::get<0>(q_r)) + std::get<1>(q_r))) +
                          xg::sum(xg::sin(xg::square(std::get<1>(e_v)))) + xg::sum(xg::sin(std::get<0>(e_v)));
    constexpr auto slopes = xg::gradients(loss, a, b);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(slopes))) + xg::sum(xg::sin(std::get<1>(slopes)));
    auto const A = test::numbers<double>({2, 3, 3}, -1, 1, 3), B = test::numbers<double>({2, 3, 2}, -1, 1, 4);
    auto const first = xg::check_gradients(loss, xg::wrt(a, b), a = A, b = B);
    CHECK_MESSAGE(first.ok, first.message);
    auto const r = xg::check_gradients(second, xg::wrt(a, b), {.tolerance = 1e-7}, a = A, b = B);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("second derivatives of systems and determinants") {
    constexpr auto logs = std::get<1>(xg::slogdet(a));
    constexpr auto loss = xg::sum(xg::sin(xg::solve(a, b))) + xg::sum(xg::sin(xg::inverse(a))) + xg::sum(xg::sin(0.1_c * xg::det(a))) +
                          xg::sum(xg::square(logs)) + xg::sum(xg::sin(xg::triangular_solve<xg::triangle::upper, true>(a, b)));
    constexpr auto slopes = xg::gradients(loss, a, b);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(slopes))) + xg::sum(xg::sin(std::get<1>(slopes)));
    auto A = test::numbers<double>({2, 3, 3}, -1, 1, 5);
    for (std::int64_t i = 0; i < 18; ++i) A[i] += i % 9 % 4 == 0 ? 3 : 0;
    auto const B = test::numbers<double>({2, 3, 2}, -1, 1, 4);
    auto const first = xg::check_gradients(loss, xg::wrt(a, b), a = A, b = B);
    CHECK_MESSAGE(first.ok, first.message);
    auto const r = xg::check_gradients(second, xg::wrt(a, b), {.tolerance = 1e-7}, a = A, b = B);
    CHECK_MESSAGE(r.ok, r.message);
}
