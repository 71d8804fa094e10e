// SPDX-License-Identifier: MIT
// Colours and differences of images as in TensorFlow, and random changes of each image.
#include "images_reference.hpp"

#include <xgrad/ops/images/differences.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using images::compare_all;
using images::given;
inline constexpr xg::dim batch{"batch"};
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
    auto const [middle, plain, same, dark, pale] = xg::function{
        xg::outputs(xg::eval(crop), xg::eval(xg::random_flip_left_right<"left">(i)), xg::eval(xg::random_flip_up_down<"up">(i)),
            xg::eval(xg::random_brightness<"bright">(i, 0.25_c)), xg::eval(xg::random_contrast<"contrast">(i, 0.5_c, 1.5_c)))}(i = a);
    for (std::int64_t k = 0; k < 24; ++k) CHECK(middle.data()[k] == a.data()[((1 + k / 8) * 5 + k / 2 % 4) * 2 + k % 2]);
    for (auto const* unchanged : {&plain, &same, &dark, &pale}) CHECK(std::equal(unchanged->begin(), unchanged->end(), a.begin()));
}
