// SPDX-License-Identifier: MIT
// Lanes of four dimensions, and sums of products whose factors are taken out.
#include <plan/lanes_models.hpp>

using namespace lanes_models;

TEST_CASE("factors of sums") { compare<products>(); }
TEST_CASE("four dimensions") { compare<deep>(); }
TEST_CASE("a factor stays in a sum of floats") {   // without it the sum is beyond 3e38
    using l = leaves<float>;
    constexpr auto pair = xg::expand_dims<1>(l::x) - l::m;
    constexpr auto w = xg::expand_dims<2>(xg::softmax<1>(-xg::sum<2>(xg::abs(pair) * 1e-38_c)));   // 1 / 7
    xg::function f{xg::outputs(xg::sum<0>(w * (pair * l::q)), xg::sum<0>(-(l::q * pair)), xg::sum<0>(pair * 1e-10_c))};
    auto const [a, b, c] =
        f(l::x = test::tensor<float>({100, 5}, 3e37f), l::m = test::tensor<float>({7, 5}), l::q = test::tensor<float>({7, 5}, 1e-10f));
    for (std::int64_t i = 0; i < 35; ++i) {
        CHECK(a[i] == doctest::Approx(3e29 / 7));
        CHECK(b[i] == doctest::Approx(-3e29));
        CHECK(c[i] == doctest::Approx(3e29));
    }
}

namespace {
template<class T>
std::vector<double> sums_of(std::int64_t n) {
    using l = leaves<T>;
    constexpr auto all = means<T>::outputs();
    xg::function f{std::apply([](auto... e) { return xg::outputs(e..., xg::sum<0>(-(l::q * (xg::expand_dims<1>(l::x) - l::m)))); }, all)};
    auto const r =
        f(l::x = test::numbers<T>({n, 5}, 1, 2, 1), l::m = test::numbers<T>({7, 5}, -1, 0, 2), l::q = test::numbers<T>({7, 5}, 1, 2, 3));
    std::vector<double> v;
    std::apply([&](auto const&... e) { (v.insert(v.end(), e.begin(), e.end()), ...); }, r);
    return v;
}
}
TEST_CASE("many terms") {
    auto const found = sums_of<float>(200'000), expected = sums_of<double>(200'000);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::fabs(found[i] / expected[i] - 1) < 1e-6);
}
