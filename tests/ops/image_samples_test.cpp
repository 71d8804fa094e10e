// SPDX-License-Identifier: MIT
// Images at places: values and gradients of TensorFlow and PyTorch, second order.
#include "images_reference.hpp"

#include <xgrad/ops/images/sample.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using images::compare;
using images::compare_all;
using images::given;
using images::weighted;
using out = xg::outside;
constexpr auto x = xg::input<"x", float, 2, 7, 6, 2>;
constexpr auto g = xg::input<"g", float, 2, 3, 4, 2>;
constexpr auto theta = xg::input<"theta", float, 2, 2, 3>;
constexpr auto boxes = xg::input<"boxes", float, 3, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
template<out Where, bool Align>
void check_grid(std::string const& name) {
    constexpr auto y = xg::grid_sample<Where, Align>(x, g);
    constexpr auto slopes = xg::gradients(weighted(y), x, g);
    xg::function f{xg::outputs(y, std::get<0>(slopes), std::get<1>(slopes))};
    auto const [value, dx, dg] = f(x = given("x"), g = given("grid"));
    compare(name, value, 2e-4);   // the places in the file have six digits
    compare(name + ".d", dx, 2e-4);
    compare(name + ".d1", dg, 2e-4);
}
}

TEST_CASE("images at the places of a grid as in PyTorch") {
    check_grid<out::zeros, false>("grid_zeros_0");
    check_grid<out::border, true>("grid_border_1");
    check_grid<out::reflection, false>("grid_reflection_0");
    xg::function f{xg::outputs(xg::grid_sample<out::zeros, true>(x, g), xg::grid_sample<out::border>(x, g),
        xg::grid_sample<out::reflection, true>(x, g), xg::grid_sample<out::border, false, xg::interpolation::nearest>(x, g),
        xg::affine_grid<3, 4>(theta), xg::affine_grid<3, 4, true>(theta))};
    compare_all(f(x = given("x"), g = given("grid"), theta = given("theta")),
        {"grid_zeros_1", "grid_border_0", "grid_reflection_1", "grid_nearest", "affine_0", "affine_1"}, 2e-4);
}

TEST_CASE("parts of images as in TensorFlow") {
    constexpr auto y = xg::crop_and_resize<4, 3>(x, boxes, ids, 2_c);
    constexpr auto slopes = xg::gradients(weighted(y), x, boxes);
    xg::function f{
        xg::outputs(y, std::get<0>(slopes), std::get<1>(slopes), xg::crop_and_resize<4, 1, xg::interpolation::nearest>(x, boxes, ids))};
    compare_all(f(x = given("x"), boxes = given("boxes"), ids = test::list<std::int32_t>({1, 0, 1})),
        {"crop", "crop.d", "crop.d1", "crop_nearest"}, 5e-5);
    CHECK_THROWS_AS(f(x = given("x"), boxes = given("boxes"), ids = test::list<std::int32_t>({1, 2, 0})), xg::value_error);
}

TEST_CASE("gradients of places, and gradients of them") {
    constexpr auto d = xg::input<"d", double, 2, 4, 5, 2>;
    constexpr auto t = xg::input<"t", double, 2, 2, 3>;
    constexpr auto y = xg::grid_sample(d, xg::affine_grid<3, 2>(t));
    constexpr auto loss = xg::sum(xg::sin(y) * y);
    constexpr auto first = xg::gradients(loss, d, t);
    constexpr auto twice = xg::sum(xg::square(std::get<0>(first))) + xg::sum(xg::square(std::get<1>(first)));
    auto const a = test::numbers<double>({2, 4, 5, 2}, -2, 2), b = test::numbers<double>({2, 2, 3}, 0.1, 0.6);
    auto const r = xg::check_gradients(loss + 0.01_c * twice, xg::wrt(d, t), d = a, t = b);
    CHECK_MESSAGE(r.ok, r.message);
}
