// SPDX-License-Identifier: MIT
// Signals of overlapping frames and of their transforms: TensorFlow's numbers, transforms there and back, named extents, gradients.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/complex/inverse_stft.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::compare;
using from_tensorflow::known;
inline constexpr xg::dim count{"count"}, batch{"batch"};

constexpr auto x = xg::input<"x", double, 2, 26>;
constexpr auto frames = xg::input<"frames", double, batch, count, 6>;

/// The gradient of the sum of y times the cosines of 0, 1, 2, ..., as in the file.
template<class Y, class X>
constexpr auto slope(Y y, X at) {
    constexpr xg::extent n = xg::value_of<Y>.dims.size();
    return xg::gradient_of(
        xg::sum(xg::detail::reshaped_to<xg::shape{1, {n}}>(y) * xg::cos(xg::cast<double>(xg::detail::positions_along<n>{}))), at);
}
}

TEST_CASE("frames are added as in TensorFlow") {
    constexpr auto near = xg::overlap_and_add<4>(frames);
    constexpr auto apart = xg::overlap_and_add<7>(frames);
    xg::function f{xg::outputs(near, apart, slope(near, frames), slope(apart, frames))};
    from_tensorflow::compare_all(
        {"overlap", "gaps", "overlap.frames", "gaps.frames"}, f(frames = known<double>("frames", {2, 4, 6})), 1e-11);
    CHECK(std::get<0>(f(frames = test::tensor<double>({3, 1, 6}))).shape() == std::array<std::int64_t, 2>{3, 6});
    CHECK_THROWS_AS(f(frames = test::tensor<double>({1, 0, 6})), xg::error);
}

TEST_CASE("inverse transforms are TensorFlow's, and give the signal back") {
    constexpr auto back = xg::istft<8, 2>(xg::stft<8, 2>(x));
    constexpr auto of_three = xg::istft<8, 3>(xg::stft<8, 3>(x));
    constexpr auto hann = xg::hann_window<6, double>();
    constexpr auto plain = xg::istft<6, 4>(xg::stft<6, 4>(x, hann), hann);
    xg::function f{xg::outputs(xg::inverse_stft_window<8, 2, double>(), xg::inverse_stft_window<8, 3, double>(),
        xg::inverse_stft_window<6, 4, double>(), back, of_three, plain, slope(back, x), slope(of_three, x), slope(plain, x))};
    auto const X = known<double>("signal", {2, 26});
    auto const r = f(x = X);
    from_tensorflow::compare_all(
        {"window82", "window83", "window64", "istft82", "istft83", "istft64", "istft82.x", "istft83.x", "istft64.x"}, r, 1e-10);
    for (std::int64_t row = 0; row < 2; ++row)
        for (std::int64_t i = 8; i < 18; ++i) CHECK(std::get<3>(r)(row, i) == doctest::Approx(X[row * 26 + i]).epsilon(1e-12));
    // elements at which all windows are 0
    auto const alone = xg::function{xg::inverse_stft_window<4, 4>()}();
    CHECK((alone[0] == 0 && alone[1] == 2 && alone[2] == 1 && alone[3] == 2));
}

TEST_CASE("gradients of inverse transforms, of windows and of gradients") {
    constexpr auto z = xg::input<"z", double, 2, 3, 3, 2>;
    constexpr auto w = xg::input<"w", double, 4>;
    constexpr auto signal = xg::istft<4, 3>(xg::view_as_complex(z), xg::inverse_stft_window<4, 3>(w));
    constexpr auto inner = xg::sum(xg::exp(0.3_c * signal));
    constexpr auto loss = inner + xg::sum(xg::square(xg::gradient_of(inner, z)));
    auto const r = xg::check_gradients(
        loss, xg::wrt(z, w), {.tolerance = 1e-6}, z = test::numbers<double>({2, 3, 3, 2}), w = test::numbers<double>({4}, 0.5, 1.5, 2));
    CHECK_MESSAGE(r.ok, r.message);
}
