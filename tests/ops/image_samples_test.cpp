// SPDX-License-Identifier: MIT
// Images at places, colours, random changes, differences: values and gradients of TensorFlow and PyTorch, second order.
#include "images_reference.hpp"

#include <xgrad/ops/images/differences.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using images::compare;
using images::compare_all;
using images::given;
using images::weighted;
using out = xg::outside;
inline constexpr xg::dim batch{"batch"};
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

TEST_CASE("colours and differences as in TensorFlow") {
    constexpr auto rgb = xg::input<"rgb", float, 2, 4, 5, 3>;
    constexpr auto a = xg::input<"a", float, 2, 12, 11, 1>;
    auto const [dy, dx] = xg::image_gradients(rgb);
    xg::function f{xg::outputs(xg::rgb_to_grayscale(rgb), xg::rgb_to_hsv(rgb), xg::hsv_to_rgb(rgb), xg::per_image_standardization(rgb),
        xg::adjust_contrast(rgb, 1.75_c), xg::total_variation(rgb), dy, dx, xg::sobel_edges(rgb), xg::psnr(a, xg::flip<1>(a), 1_c),
        xg::ssim(a, 0.5_c * a + 0.5_c * xg::flip<1>(a), 1_c))};
    compare_all(f(rgb = given("rgb"), a = given("a")),
        {"gray", "hsv", "back", "standardized", "contrast", "variation", "dy", "dx", "sobel", "psnr", "ssim"}, 5e-5);
}

TEST_CASE("random changes of each image") {
    constexpr auto i = xg::input<"i", float, batch, 6, 5, 2>;
    constexpr auto crop = xg::random_crop<"crop", 3, 4>(i);
    xg::function f{xg::outputs(crop, xg::random_flip_left_right<"left">(i), xg::random_flip_up_down<"up">(i),
        xg::random_brightness<"bright">(i, 0.25_c), xg::random_contrast<"contrast">(i, 0.5_c, 1.5_c), xg::gradient_of(xg::sum(crop), i))};
    std::int64_t const n = 40, size = 60;
    auto const a = test::numbers<float>({n, 6, 5, 2});
    auto const [part, left, up, bright, contrast, slope] = f(i = a);
    int turned = 0, upside = 0;
    for (std::int64_t b = 0; b < n; ++b) {
        float const* const image = a.data() + b * size;
        int places = 0;
        for (std::int64_t y = 0; y <= 3; ++y)
            for (std::int64_t z = 0; z <= 1; ++z) {
                bool here = true;
                for (std::int64_t k = 0; k < 24; ++k)
                    here = here && part.data()[b * 24 + k] == image[((y + k / 8) * 5 + z + k / 2 % 4) * 2 + k % 2];
                places += here;
            }
        CHECK(places == 1);
        bool const mirrored = left.data()[b * size] != image[0], down = up.data()[b * size] != image[0];
        turned += mirrored;
        upside += down;
        float const more = bright.data()[b * size] - image[0];
        CHECK(std::abs(more) <= 0.25F);
        float total = 0;
        for (std::int64_t k = 0; k < size; ++k) {
            std::int64_t const y = k / 10, z = k / 2 % 5, c = k % 2;
            CHECK(left.data()[b * size + k] == image[(y * 5 + (mirrored ? 4 - z : z)) * 2 + c]);
            CHECK(up.data()[b * size + k] == image[((down ? 5 - y : y) * 5 + z) * 2 + c]);
            CHECK(bright.data()[b * size + k] - image[k] == doctest::Approx(more).epsilon(1e-4));
            total += slope.data()[b * size + k];
        }
        CHECK(total == 24);
        float const factor = (contrast.data()[b * size] - contrast.data()[b * size + 2]) / (image[0] - image[2]);
        CHECK((factor >= 0.499F && factor < 1.501F));
    }
    CHECK((turned > 8 && turned < 32 && upside > 8 && upside < 32));
}
