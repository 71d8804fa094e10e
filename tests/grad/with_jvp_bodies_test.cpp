// SPDX-License-Identifier: MIT
// Tangents that the user writes: in calls, maps and Jacobians, with outer expressions, made by jvp, and of one argument given twice.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/grad/jacobian.hpp>
#include <xgrad/grad/with_jvp.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch>;
constexpr auto t = xg::input<"t", double, batch>;
constexpr auto scale = xg::input<"scale", double>;

struct sine : xg::region {
    static constexpr auto value(auto h) { return xg::sin(h); }
};
struct scaled : xg::region {
    static constexpr auto value(auto h, auto along) { return along * xg::cos(h) * xg::square(scale); }
};
struct made_by_jvp : xg::region {
    static constexpr auto value(auto h, auto along) { return xg::jvp(xg::sin(h) * h, h, along); }
};
struct product : xg::region {
    static constexpr auto value(auto a, auto b) { return a * b; }
};
struct product_along : xg::region {
    static constexpr auto value(auto a, auto b, auto ta, auto tb) { return ta * b + 2_c * a * tb; }
};
struct sine_with_tangent : xg::region {
    static constexpr auto value(auto h) { return xg::with_jvp<sine, scaled>(h); }
};
}

TEST_CASE("a tangent that reads an outer number, in a Jacobian, a call and a map") {
    constexpr auto y = xg::with_jvp<sine, scaled>(x);
    auto const g = xg::gradient_of(xg::sum(xg::call<sine_with_tangent>(x) * y), x);
    auto const list = list_of(std::tuple{xg::jacobian(y, x), g, xg::gradient_of(xg::sum(g), scale),
        xg::gradient_of(xg::sum(xg::map<sine_with_tangent>(x)), x), xg::jvp(y, x, t)});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::list<double>({-3, 0.5}), along = test::list<double>({2, -1});
    auto const [j, gx, of_scale, of_map, jt] = f(x = a, scale = 3.0, t = along);
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        double const slope = 9 * std::cos(a[i]);
        CHECK(j(i, i) == doctest::Approx(slope).epsilon(1e-14));
        CHECK(j(i, 1 - i) == 0);
        CHECK(gx[i] == doctest::Approx(2 * std::sin(a[i]) * slope).epsilon(1e-14));
        CHECK(of_map[i] == doctest::Approx(slope).epsilon(1e-14));
        CHECK(jt[i] == doctest::Approx(slope * along[i]).epsilon(1e-14));
        sum += 2 * std::sin(a[i]) * std::cos(a[i]) * 6;
    }
    CHECK(of_scale == doctest::Approx(sum).epsilon(1e-14));
}
TEST_CASE("a tangent made by jvp, and one of an argument that is given twice") {
    constexpr auto y = xg::with_jvp<sine, made_by_jvp>(x);
    constexpr auto z = xg::with_jvp<product, product_along>(x, x);
    auto const gy = xg::gradient_of(xg::sum(y), x);
    auto const gz = xg::gradient_of(xg::sum(z), x);
    auto const list = list_of(std::tuple{y, gy, xg::gradient_of(xg::sum(gy), x), xg::jvp(y, x, t), gz, xg::gradient_of(xg::sum(gz), x)});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::list<double>({-3, 0.5}), along = test::list<double>({2, -1});
    auto const [v, of_y, second, jt, of_z, second_of_z] = f(x = a, t = along);
    for (int i = 0; i < 2; ++i) {
        double const s = std::sin(a[i]), c = std::cos(a[i]);
        CHECK(v[i] == doctest::Approx(s).epsilon(1e-14));
        CHECK(of_y[i] == doctest::Approx(c * a[i] + s).epsilon(1e-14));
        CHECK(second[i] == doctest::Approx(2 * c - s * a[i]).epsilon(1e-13));
        CHECK(jt[i] == doctest::Approx((c * a[i] + s) * along[i]).epsilon(1e-14));
        CHECK(of_z[i] == 3 * a[i]);
        CHECK(second_of_z[i] == 3);
    }
}
