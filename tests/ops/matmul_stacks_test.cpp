// SPDX-License-Identifier: MIT
// Products of stacks of matrices, compared with loops: equal axes before the last two, broadcast axes, transposes, one matrix on a side,
// no matrix; gradients of two orders; attention.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};

/// c[i] = a[of_a(i)] b[of_b(i)], matrices of m x k and k x n; transposed ones are k x m and n x k.
template<class T, class R>
void check_products(R const& found, test::tensor<T> const& a, test::tensor<T> const& b, std::int64_t count, auto of_a, auto of_b, int m,
    int k, int n, bool ta, bool tb) {
    REQUIRE(found.size() == count * m * n);
    for (std::int64_t i = 0; i < count; ++i)
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < n; ++c) {
                double sum = 0;
                for (int j = 0; j < k; ++j)
                    sum += static_cast<double>(a[of_a(i) * m * k + (ta ? j * m + r : r * k + j)]) *
                           static_cast<double>(b[of_b(i) * k * n + (tb ? c * k + j : j * n + c)]);
                CHECK(static_cast<double>(found[(i * m + r) * n + c]) == doctest::Approx(sum).epsilon(1e-5).scale(1));
            }
}
}

TEST_CASE_TEMPLATE("stacks of matrices with equal axes, each transposed or not", T, float, double) {
    auto const each = [](auto ta, auto tb) {
        constexpr bool TA = decltype(ta)::value, TB = decltype(tb)::value;
        constexpr auto a = [] {
            if constexpr (TA) return xg::input<"a", T, batch, 2, 5, 3>;
            else return xg::input<"a", T, batch, 2, 3, 5>;
        }();
        constexpr auto b = [] {
            if constexpr (TB) return xg::input<"b", T, batch, 2, 4, 5>;
            else return xg::input<"b", T, batch, 2, 5, 4>;
        }();
        constexpr auto y = xg::matmul<TA, TB>(a, b);
        static_assert(xg::value_of<decltype(y)>.dims == xg::value_of<decltype(xg::input<"y", T, batch, 2, 3, 4>)>.dims);
        xg::function f{y};
        for (std::int64_t n : {1, 7, 0}) {
            auto const A = test::numbers<T>({n, 2, TA ? 5 : 3, TA ? 3 : 5}), B = test::numbers<T>({n, 2, TB ? 4 : 5, TB ? 5 : 4}, -1, 1, 2);
            check_products(
                f(a = A, b = B), A, B, 2 * n, [](auto i) { return i; }, [](auto i) { return i; }, 3, 5, 4, TA, TB);
        }
    };
    each(std::false_type{}, std::false_type{});
    if constexpr (sizeof(T) == 8) {
        each(std::true_type{}, std::false_type{});
        each(std::false_type{}, std::true_type{});
        each(std::true_type{}, std::true_type{});
    }
}

TEST_CASE("axes before the last two broadcast; one matrix on a side serves all") {
    constexpr auto a = xg::input<"a", double, batch, 1, 3, 5>;
    constexpr auto b = xg::input<"b", double, 4, 5, 2>;
    constexpr auto m = xg::input<"m", double, 2, 3>;
    xg::function f{xg::outputs(xg::matmul(a, b), xg::matmul(m, a), xg::matmul<true, true>(a, m))};
    auto const A = test::numbers<double>({3, 1, 3, 5}), B = test::numbers<double>({4, 5, 2}, -1, 1, 2);
    auto const M = test::numbers<double>({2, 3}, -1, 1, 3);
    auto const [both, left, transposed] = f(a = A, b = B, m = M);
    CHECK((both.shape() == std::array<std::int64_t, 4>{3, 4, 3, 2}));
    auto const same = [](auto i) { return i; };
    auto const none = [](auto) { return std::int64_t{0}; };
    check_products(
        both, A, B, 12, [](auto i) { return i / 4; }, [](auto i) { return i % 4; }, 3, 5, 2, false, false);
    check_products(left, M, A, 3, none, same, 2, 3, 5, false, false);
    check_products(transposed, A, M, 3, same, none, 5, 3, 2, true, true);
}

TEST_CASE("gradients of two orders of attention") {
    constexpr auto q = xg::input<"q", double, batch, 2, time_steps, 3>;
    constexpr auto k = xg::input<"k", double, batch, 2, time_steps, 3>;
    constexpr auto v = xg::input<"v", double, batch, 2, time_steps, 4>;
    constexpr auto weights = xg::softmax(xg::matmul<false, true>(q, k) / xg::sqrt(3_c));
    constexpr auto y = xg::matmul(weights, v);
    static_assert(xg::value_of<decltype(y)>.dims == xg::value_of<decltype(v)>.dims);
    auto const Q = test::numbers<double>({2, 2, 3, 3}), K = test::numbers<double>({2, 2, 3, 3}, -1, 1, 2);
    auto const V = test::numbers<double>({2, 2, 3, 4}, -1, 1, 3);
    auto const first = xg::check_gradients(xg::sum(xg::square(y)), xg::wrt(q, k, v), q = Q, k = K, v = V);
    CHECK_MESSAGE(first.ok, first.message);
    constexpr auto slope = xg::gradient_of(xg::sum(xg::square(y)), q);
    auto const second = xg::check_gradients(xg::sum(xg::sin(slope)), xg::wrt(k, v), q = Q, k = K, v = V);
    CHECK_MESSAGE(second.ok, second.message);
}
