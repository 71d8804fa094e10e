// SPDX-License-Identifier: MIT
// Patches of images and other sizes: values and gradients of TensorFlow and PyTorch, named dimensions, second order.
#include "images_reference.hpp"

#include <xgrad/ops/images/morphology.hpp>
#include <xgrad/ops/images/patches.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using images::compare_all;
using images::given;
using images::weighted;
using at = xg::coordinates;
using by = xg::interpolation;
using xg::per_axis;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim height{"height"};
constexpr auto x = xg::input<"x", float, 2, 7, 6, 2>;
constexpr auto s = xg::input<"s", float, 1, 7, 6, 1>;
constexpr auto n = xg::input<"n", float, 2, 9, 3>;
/// The value and the gradient.
template<by How, at Rule>
constexpr auto both() {
    constexpr auto y = xg::resize2d<5, 9, How, Rule>(s);
    return xg::outputs(y, xg::gradient_of(weighted(y), s));
}
}

TEST_CASE("patches and their sums as in TensorFlow and PyTorch") {
    constexpr auto p = xg::extract_patches<per_axis{2, 3},
        xg::window{.strides = per_axis{2, 1}, .dilations = per_axis{2, 1}, .padding = xg::window_padding::same}>(x);
    constexpr xg::window apart{.strides = per_axis{2, 1}};
    constexpr auto q = xg::fold_patches<7, 6, per_axis{2, 3}, apart>(xg::extract_patches<per_axis{2, 3}, apart>(x));
    xg::function f{xg::outputs(p, xg::gradient_of(weighted(p), x), q)};
    compare_all(f(x = given("x")), {"patches", "patches.d", "folded"});
}

TEST_CASE("dilation and erosion as in TensorFlow") {
    constexpr auto k = xg::input<"k", float, 2, 3, 2>;
    constexpr auto y =
        xg::dilation2d<xg::window{.strides = per_axis{2, 1}, .dilations = per_axis{1, 2}, .padding = xg::window_padding::same}>(x, k);
    constexpr auto z = xg::erosion2d(x, k);
    constexpr auto of_y = xg::gradients(weighted(y), x, k);
    constexpr auto of_z = xg::gradients(weighted(z), x, k);
    xg::function f{xg::outputs(y, std::get<0>(of_y), std::get<1>(of_y), z, std::get<0>(of_z), std::get<1>(of_z))};
    compare_all(f(x = given("x"), k = given("kernel")), {"dilation", "dilation.d", "dilation.d1", "erosion", "erosion.d", "erosion.d1"});
}

TEST_CASE("other sizes as in TensorFlow") {
    auto const a = given("s");
    compare_all(xg::function{both<by::nearest, at::asymmetric>()}(s = a), {"nearest_neighbor_asymmetric", "nearest_neighbor_asymmetric.d"});
    compare_all(xg::function{both<by::nearest, at::align_corners>()}(s = a), {"nearest_neighbor_corners", "nearest_neighbor_corners.d"});
    compare_all(xg::function{both<by::bilinear, at::asymmetric>()}(s = a), {"bilinear_asymmetric", "bilinear_asymmetric.d"});
    compare_all(xg::function{both<by::bicubic, at::half_pixel>()}(s = a), {"bicubic_half", "bicubic_half.d"}, 2e-5);
    xg::function f{xg::outputs(xg::resize2d<5, 9, by::nearest>(s), xg::resize2d<10, 4, by::nearest, at::asymmetric>(s),
        xg::resize2d<10, 4, by::nearest>(s), xg::resize2d<5, 9, by::bilinear, at::align_corners>(s), xg::resize2d<5, 9>(s),
        xg::resize2d<10, 4, by::bilinear, at::asymmetric>(s), xg::resize2d<10, 4>(s), xg::resize2d<5, 9>(s))};
    compare_all(f(s = a), {"nearest_neighbor_half", "nearest_neighbor_asymmetric_other", "nearest_neighbor_half_other", "bilinear_corners",
                              "bilinear_half", "bilinear_asymmetric_other", "bilinear_half_other", "v2"});
    xg::function g{xg::outputs(xg::resize2d<5, 9, by::bicubic, at::asymmetric>(s), xg::resize2d<5, 9, by::bicubic, at::align_corners>(s),
        xg::resize2d<10, 4, by::bicubic, at::asymmetric>(s), xg::resize2d<10, 4, by::bicubic>(s),
        xg::resize2d<5, 9, by::area, at::asymmetric>(s), xg::resize2d<5, 9, by::area, at::align_corners>(s),
        xg::resize2d<10, 4, by::area, at::asymmetric>(s))};
    compare_all(g(s = a),
        {"bicubic_asymmetric", "bicubic_corners", "bicubic_asymmetric_other", "bicubic_half_other", "area_asymmetric", "area_corners",
            "area_asymmetric_other"},
        2e-5);
}

TEST_CASE("other sizes as in PyTorch") {
    xg::function f{xg::outputs(xg::resize2d<5, 9>(s), xg::resize2d<5, 9, by::bicubic_torch>(s), xg::resize1d<14>(n),
        xg::resize2d<5, 9, by::bilinear, at::align_corners>(s), xg::resize2d<5, 9, by::bicubic_torch, at::align_corners>(s),
        xg::resize2d<5, 9, by::nearest, at::asymmetric>(s), xg::resize2d<5, 9, by::nearest>(s))};
    compare_all(f(s = given("s"), n = given("n")), {"torch_bilinear", "torch_bicubic", "torch_linear", "torch_bilinear_corners",
                                                       "torch_bicubic_corners", "torch_nearest", "torch_nearest_exact"});
    compare_all(xg::function{both<by::bicubic_torch, at::half_pixel>()}(s = given("s")), {"torch_bicubic", "torch_bicubic.d"});
}

TEST_CASE("copies, named dimensions, channels of all numbers") {
    constexpr auto i = xg::input<"i", float, batch, height, 3, 19>;
    xg::function f{xg::outputs(
        xg::upsample_nearest2d<2>(i), xg::resize2d<2 * height, 6, by::nearest>(i), xg::resize2d<4, 5>(i), xg::extract_patches<2>(i))};
    auto const a = test::numbers<float>({2, 4, 3, 19});
    auto const [copies, same, other, patches] = f(i = a);
    REQUIRE((copies.shape() == std::array<std::int64_t, 4>{2, 8, 6, 19} && other.shape() == std::array<std::int64_t, 4>{2, 4, 5, 19}));
    REQUIRE((patches.shape() == std::array<std::int64_t, 4>{2, 3, 2, 76}));
    for (std::int64_t k = 0; k < copies.size(); ++k) {
        std::int64_t const c = k % 19, w = k / 19 % 6, h = k / 114 % 8, b = k / 912;
        CHECK(copies.data()[k] == a[((b * 4 + h / 2) * 3 + w / 2) * 19 + c]);
        CHECK(same.data()[k] == copies.data()[k]);
    }
    for (std::int64_t k = 0; k < other.size(); ++k) {
        std::int64_t const c = k % 19, w = k / 19 % 5, row = k / 95;
        double const place = std::max((static_cast<double>(w) + 0.5) * 0.6 - 0.5, 0.0);
        auto const low = static_cast<std::int64_t>(place), high = std::min<std::int64_t>(low + 1, 2);
        double const t = place - static_cast<double>(low);
        CHECK(other.data()[k] == doctest::Approx((1 - t) * a[(row * 3 + low) * 19 + c] + t * a[(row * 3 + high) * 19 + c]).epsilon(1e-5));
    }
    for (std::int64_t k = 0; k < patches.size(); ++k) {
        std::int64_t const c = k % 19, q = k / 19 % 2, p = k / 38 % 2, w = k / 76 % 2, h = k / 152 % 3, b = k / 456;
        CHECK(patches.data()[k] == a[((b * 4 + h + p) * 3 + w + q) * 19 + c]);
    }
}

TEST_CASE("an image without elements gives zeros") {
    std::vector<float> y(48, 7.0f);
    alignas(64) std::byte memory[64 * 4];
    xg::kernel_part const rows{0, 8, memory, nullptr};
    xg::op::resize_attributes const how{by::bilinear, at::half_pixel};
    xg::op::resize_images::run(
        how, rows, xg::tensor_view<float const, 4>(y.data(), {2, 0, 3, 3}), xg::tensor_view<float, 4>(y.data(), {2, 4, 2, 3}));
    CHECK(y == std::vector<float>(48));
    float beyond = 7;
    xg::op::resize_spread::run(how, {0, 2, memory, nullptr}, xg::tensor_view<float const, 4>(y.data(), {2, 4, 2, 3}),
        xg::tensor_view<float, 4>(&beyond, {2, 5, 0, 3}));
    CHECK(beyond == 7);
}

TEST_CASE("gradients of patches and sizes, and gradients of them") {
    constexpr auto d = xg::input<"d", double, 2, 4, 5, 2>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::resize2d<3, 7, by::area, at::asymmetric>(d)) + all(xg::resize2d<6, 4, by::bicubic>(d)) +
                          all(xg::extract_patches<2, xg::window{.padding = xg::window_padding::same}>(d)) +
                          all(xg::upsample_nearest2d<2>(d)) +
                          all(xg::dilation2d(d, xg::slice<0, 0, 1>(xg::slice<1, 0, 2>(xg::squeeze<0>(xg::slice<0, 0, 1>(0.3_c * d))))));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, d)));
    auto const a = test::numbers<double>({2, 4, 5, 2}, -2, 2);
    auto const r = xg::check_gradients(loss + twice, xg::wrt(d), d = a);
    CHECK_MESSAGE(r.ok, r.message);
}
