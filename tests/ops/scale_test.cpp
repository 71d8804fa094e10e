// SPDX-License-Identifier: MIT
// Images scaled and moved: TensorFlow's numbers, and the gradients of scale and translation. tests/reference/from_tensorflow.py.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/images/scale_and_translate.hpp>
#include <xgrad/train/check_gradients.hpp>

using namespace from_tensorflow;

TEST_CASE("scale_and_translate") {
    constexpr auto x = xg::input<"x", double, 2, 5, 7, 2>;
    constexpr auto w = xg::input<"w", double, 2, 6, 4, 2>;
    constexpr auto scale = xg::input<"scale", double, 2>;
    constexpr auto move = xg::input<"move", double, 2>;
    constexpr auto linear = xg::scale_and_translate<6, 4>(x, scale, move);
    constexpr auto cubic = xg::scale_and_translate<6, 4, xg::interpolation::bicubic>(x, scale, move);
    constexpr auto sharp = xg::scale_and_translate<6, 4, xg::interpolation::bicubic, false>(x, scale, move);
    xg::function f{xg::outputs(linear, xg::gradient_of(xg::sum(w * linear), x), cubic, sharp)};
    auto const X = known<double>("scaled", {2, 5, 7, 2}), W = known<double>("scaled.w", {2, 6, 4, 2});
    compare_all({"linear", "linear.x", "cubic", "sharp"},
        f(x = X, w = W, scale = test::list<double>({1.3, 0.45}), move = test::list<double>({-0.7, 0.9})), 1e-5);
    auto const r = xg::check_gradients(xg::sum(w * cubic), xg::wrt(scale, move), {.tolerance = 1e-6}, x = X, w = W,
        scale = test::list<double>({1.3, 0.45}), move = test::list<double>({-0.7, 0.9}));
    CHECK_MESSAGE(r.ok, r.message);
}
