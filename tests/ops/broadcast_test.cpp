// SPDX-License-Identifier: MIT
// Broadcasting: values against index arithmetic, gradients (summed back) against finite differences.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class A, class B>
constexpr auto mixed(A const& a, B const& b) {
    return a * b - a / (1.5_c + xg::square(b)) + xg::maximum(a, b);
}

template<class T, class A, class B>
void check(A, B, std::vector<std::int64_t> a_shape, std::vector<std::int64_t> b_shape, std::vector<std::int64_t> shape) {
    auto const a = test::numbers<T>(a_shape, -1, 1, 3), b = test::numbers<T>(b_shape, -1, 1, 4);
    constexpr auto e = mixed(A{}, B{});
    xg::function f{e};
    auto const r = f(A{} = a, B{} = b);
    std::int64_t n = 1;
    for (auto s : shape) n *= s;
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(r)>>) CHECK(n == 1);
    else {
        REQUIRE(r.size() == n);
        test::check_near(
            "broadcast", r,
            [&](std::int64_t i) {
                long double const x = test::broadcast_at(a, shape, i), y = test::broadcast_at(b, shape, i);
                return x * y - x / (1.5L + y * y) + std::max(x, y);
            },
            sizeof(T) == 4 ? 1e-6 : 1e-15);
    }
    auto const report = xg::check_gradients(xg::square(e), xg::wrt(A{}, B{}), A{} = a, B{} = b);
    CHECK_MESSAGE(report.ok, report.message);
}
template<class T, auto... D>
inline constexpr auto a = xg::input<"a", T, D...>;
template<class T, auto... D>
inline constexpr auto b = xg::input<"b", T, D...>;
}

TEST_CASE("broadcasting of vectors, rows and columns") {
    for (std::int64_t n : {0, 1, 4, 9}) {
        CAPTURE(n);
        check<double>(a<double, batch, 5>, b<double>, {n, 5}, {}, {n, 5});
        check<double>(a<double, batch, 5>, b<double, 5>, {n, 5}, {5}, {n, 5});
        check<double>(a<double, batch, 1>, b<double, batch, 5>, {n, 1}, {n, 5}, {n, 5});
        check<double>(a<double, 1, 5>, b<double, batch, 5>, {1, 5}, {n, 5}, {n, 5});
        check<double>(a<double, batch, 1>, b<double, 1, 5>, {n, 1}, {1, 5}, {n, 5});
        check<double>(a<double, 5>, b<double, batch, 1>, {5}, {n, 1}, {n, 5});
        check<float>(a<float, batch, 1>, b<float, batch, 5>, {n, 1}, {n, 5}, {n, 5});
    }
}

TEST_CASE("broadcasting in the middle and to new axes") {
    for (std::int64_t n : {1, 3}) {
        CAPTURE(n);
        check<double>(a<double, batch, 1, 3>, b<double, batch, 4, 3>, {n, 1, 3}, {n, 4, 3}, {n, 4, 3});
        check<double>(a<double, batch, 4, 1>, b<double, 4, 3>, {n, 4, 1}, {4, 3}, {n, 4, 3});
        check<double>(a<double, 2, 1, 4, 1>, b<double, batch, 1, 3>, {2, 1, 4, 1}, {n, 1, 3}, {2, n, 4, 3});
        check<float>(a<float, batch, 1, 3>, b<float, 4, 1>, {n, 1, 3}, {4, 1}, {n, 4, 3});
        check<double>(a<double>, b<double>, {}, {}, {});
    }
}
