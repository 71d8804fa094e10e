// SPDX-License-Identifier: MIT
// The loops of convolutions on plain arrays: all three kernels against plain loops in double, for many shapes.
#include "convolution_reference.hpp"

namespace {
namespace xg = xgrad;
using namespace test::convolution;

/// Runs all three kernels, whole and in parts, and compares them.
template<class T>
void check(sizes const& s) {
    auto const x = test::numbers<T>({array_size(s)}, -1, 1, 2), w = test::numbers<T>({filter_size(s)}, -1, 1, 3),
               g = test::numbers<T>({place_size(s)}, -1, 1, 4);
    test::tensor<double> y({g.size()}), dx({x.size()}), dw({w.size()});
    each_product(s, [&](std::int64_t i, std::int64_t k, std::int64_t o) {
        y[o] += static_cast<double>(x[i]) * static_cast<double>(w[k]);
        dx[i] += static_cast<double>(g[o]) * static_cast<double>(w[k]);
        dw[k] += static_cast<double>(x[i]) * static_cast<double>(g[o]);
    });
    std::int64_t const element = sizeof(T);
    double const eps = 40 * static_cast<double>(std::numeric_limits<T>::epsilon());
    kernels::read_array const array{extent_of(s.at[1].n), extent_of(s.at[2].n), s.array_channels()},
        places{extent_of(s.at[1].places), extent_of(s.at[2].places), s.place_channels()};
    auto const compare = [&](auto kernel, test::tensor<T> const& a, test::tensor<T> const& b, test::tensor<double> const& expected,
                             std::int64_t turns, xg::extent const& bytes) {
        double const scale = 1 + std::sqrt(static_cast<double>(s.lines() * s.at[2].size * std::max(s.in, s.out))) +
                             (expected.size() == w.size() ? std::sqrt(static_cast<double>(place_size(s))) : 0);
        for (std::int64_t step : {turns, std::int64_t{3}}) {
            scratch_memory scratch(bytes);
            test::tensor<T> r({expected.size()}, T(7));
            for (std::int64_t t = 0; t < turns; t += step)
                kernel(s, a.data(), b.data(), r.data(), t, std::min(t + step, turns), scratch.data());
            REQUIRE(largest_difference(r, expected) <= eps * scale);
            REQUIRE(scratch.is_kept(bytes));
            if (turns == 0) break;
        }
    };
    std::int64_t const filter_rows = s.lines() * s.at[2].size * s.in;
    if (s.is_by_channel()) {
        compare(kernels::convolve_channels<T>, x, w, y, s.place_rows(), kernels::convolve_channels_memory(s, array, element));
        compare(kernels::convolve_channels_back<T>, g, w, dx, s.array_rows(),
            kernels::convolve_channels_back_memory(s, places, extent_of(s.at[2].n), element));
        compare(kernels::convolve_channels_filter<T>, x, g, dw, filter_rows, kernels::convolve_channels_filter_memory(s, array, element));
    }
    compare(kernels::convolve<T>, x, w, y, s.place_rows(), kernels::convolve_memory(s, array, element));
    compare(kernels::convolve_back<T>, g, w, dx, s.array_rows(), kernels::convolve_back_memory(s, places, element));
    compare(kernels::convolve_filter<T>, x, g, dw, filter_rows, kernels::convolve_filter_memory(s, array, element));
}
}

TEST_CASE_TEMPLATE("convolutions of images", T, float, double) {
    for (std::int64_t in : {1, 3, 16})
        for (std::int64_t out : {1, 6, 8, 19, 40}) {
            CAPTURE(in);
            CAPTURE(out);
            check<T>(of_image(2, axis_of(7, 3, 1, 1, 1, 1), axis_of(11, 3, 1, 1, 1, 1), in, out));
            check<T>(of_image(1, axis_of(6, 2), axis_of(9, 5, 1, 1, 2, 2), in, out));
            check<T>(of_image(3, axis_of(8, 3, 2, 1, 0, 1), axis_of(8, 3, 2, 1, 0, 1), in, out));
            check<T>(of_image(2, axis_of(5, 1), axis_of(6, 1), in, out));
        }
}
TEST_CASE("tiles of many rows") {
    for (std::int64_t width : {14, 16, 28, 31, 45})
        for (std::int64_t in : {1, 3, 6, 16})
            for (std::int64_t size : {3, 5}) {
                CAPTURE(width);
                CAPTURE(in);
                CAPTURE(size);
                check<float>(of_image(2, axis_of(5, size, 1, 1, 2, 2), axis_of(width, size, 1, 1, 2, 2), in, 16));
                check<double>(of_image(1, axis_of(5, size, 2, 1, 0, 1), axis_of(width, size, 2, 1, 0, 1), in, 6));
            }
}
TEST_CASE("gradients of few channels, with pixels in the lanes") {
    for (std::int64_t stride : {1, 2, 3}) {
        check<float>(of_image(2, axis_of(6, 3, stride, 1, 1, 1), axis_of(50, 3, stride, 1, 1, 1), 3, 5, 3));
        check<double>(of_image(2, axis_of(6, 3, 1, 2, 1, 1), axis_of(33, 2, stride, 3), 4, 2, 2));
    }
    check<float>(of_image(1, axis_of(3, 3, 1, 1, 1, 1), axis_of(20, 3, 1, 1, 1, 1), 2, 600));
    check<float>({2, {axis_of(4, 2, 1, 1, 1, 0), axis_of(5, 3), axis_of(37, 2, 2)}, 8, 4, 1});
    for (std::int64_t out : {1, 2, 3, 4, 7})   // gradients of several places are one batch
        check<float>(of_image(3, axis_of(5, 3, 2, 1, 1, 1), axis_of(24, 4, 3, 1, 2, 2), 5, out));
}
TEST_CASE_TEMPLATE("each channel with a separate filter", T, float, double) {
    for (std::int64_t channels : {2, 8, 21})
        for (std::int64_t many : {1, 2, 3})
            for (std::int64_t size : {1, 2, 3, 5})
                for (std::int64_t stride : {1, 2}) {
                    CAPTURE(channels);
                    CAPTURE(many);
                    CAPTURE(size);
                    CAPTURE(stride);
                    check<T>(of_image(2, axis_of(9, size, stride, 1, size / 2, (size - 1) / 2),
                        axis_of(11, size, stride, 1, size / 2, (size - 1) / 2), 1, many, channels));
                    if (size == 3)
                        check<T>(of_image(1, axis_of(4, size), axis_of(stride == 1 ? 140 : 20, 2, stride, 2), 1, many, channels));
                    check<T>({1, {axis_of(4, 2), no_axis, axis_of(6, 3, 1, 1, 0, 2)}, 1, many, channels});
                }
    for (std::int64_t channels : {2, 4, 8})   // several pixels are one batch
        for (std::int64_t width : {16, 40, 45}) {
            check<T>(of_image(2, axis_of(5, 3, 1, 1, 1, 1), axis_of(width, 3, 1, 1, 1, 1), 1, 1, channels));
            check<T>(of_image(2, axis_of(5, 3, 2, 1, 1, 1), axis_of(width, 3, 1, 2, 1, 3), 1, 1, channels));
            check<T>(of_image(2, axis_of(3, 1), axis_of(width, 1), 1, 1, channels));
        }
    for (std::int64_t stride : {1, 2})   // zeros in registers
        for (std::int64_t width : {1, 2, 7, 300})
            for (std::int64_t before : {0, 1, 2})
                for (std::int64_t after : {0, 1}) {
                    if (width + before + after < 3) continue;
                    CAPTURE(stride);
                    CAPTURE(width);
                    CAPTURE(before);
                    CAPTURE(after);
                    check<T>(of_image(2, axis_of(4, 3, stride, 1, 1, 1), axis_of(width, 3, stride, 1, before, after), 1, 1, 32));
                    check<T>({1, {axis_of(3, 3, 1, 1, 1, 1), no_axis, axis_of(width, 3, stride, 1, before, after)}, 1, 2, 8});
                }
    check<T>(of_image(3, axis_of(4, 1), axis_of(5, 1), 1, 1, 10));
    check<T>(of_image(2, axis_of(2, 3), axis_of(5, 3), 1, 2, 3));   // no place
    check<T>(of_image(3, axis_of(4, 1), axis_of(5, 1), 4, 5, 3));
}
TEST_CASE("strides, dilations and paddings of all kinds") {
    for (std::int64_t n : {1, 4, 11})
        for (std::int64_t size : {1, 2, 3})
            for (std::int64_t stride : {1, 2, 3})
                for (std::int64_t dilation : {1, 2})
                    for (std::int64_t before : {0, 1, 4})
                        for (std::int64_t after : {0, 2}) {
                            if (n + before + after < (size - 1) * dilation + 1) continue;
                            CAPTURE(n);
                            CAPTURE(size);
                            CAPTURE(stride);
                            CAPTURE(dilation);
                            CAPTURE(before);
                            CAPTURE(after);
                            check<float>(of_image(2, axis_of(5, 2, 2, 1, 1, 1), axis_of(n, size, stride, dilation, before, after), 3, 5));
                            check<float>(of_image(1, axis_of(n, size, stride, dilation, before, after), axis_of(7, 3, 1, 1, 1, 1), 2, 9));
                        }
}
TEST_CASE("groups, three axes, one axis and long rows") {
    for (std::int64_t groups : {2, 3, 5})
        for (std::int64_t out : {1, 4, 8}) check<float>(of_image(2, axis_of(5, 3, 1, 1, 1, 1), axis_of(6, 3, 2, 1, 1, 1), 3, out, groups));
    check<float>({2, {axis_of(4, 3, 1, 1, 1, 1), axis_of(5, 2), axis_of(6, 3, 1, 1, 1, 1)}, 3, 10, 1});
    check<double>({1, {axis_of(5, 2, 2), axis_of(5, 3, 1, 2, 2, 2), axis_of(4, 3, 2, 1, 1, 1)}, 2, 3, 1});
    check<float>({2, {no_axis, no_axis, axis_of(300, 9, 1, 1, 4, 4)}, 5, 12, 1});
    check<float>({2, {no_axis, no_axis, axis_of(140, 3, 2, 2, 4, 0)}, 600, 20, 1});
    check<float>(of_image(0, axis_of(5, 3), axis_of(6, 3), 3, 4));
    check<float>(of_image(40, axis_of(3, 3, 1, 1, 1, 1), axis_of(3, 3, 1, 1, 1, 1), 5, 9));
    check<float>(of_image(1, axis_of(20, 3, 1, 1, 1, 1), axis_of(9, 3, 1, 1, 1, 1), 100, 9));
}
TEST_CASE("sums over many places keep their accuracy") {
    sizes const plain = of_image(24, axis_of(90, 3), axis_of(100, 1), 2, 3),
                by_channel = of_image(24, axis_of(90, 3), axis_of(100, 1), 1, 1, 9);
    test::tensor<float> const x({array_size(by_channel)}, 0.1f), g({place_size(by_channel)}, 0.3f);
    double const exact = static_cast<double>(0.1f) * static_cast<double>(0.3f) * 24 * 88 * 100;
    kernels::read_array const array{extent_of(90), extent_of(100), 9};
    scratch_memory scratch(
        kernels::convolve_channels_filter_memory(by_channel, array, 4) + kernels::convolve_filter_memory(plain, array, 4));
    test::tensor<float> dw({27});
    kernels::convolve_filter(plain, x.data(), g.data(), dw.data(), 0, 6, scratch.data());
    for (std::int64_t i = 0; i < filter_size(plain); ++i) REQUIRE(std::abs(static_cast<double>(dw[i]) / exact - 1) < 2e-6);
    kernels::convolve_channels_filter(by_channel, x.data(), g.data(), dw.data(), 0, 3, scratch.data());
    for (std::int64_t i = 0; i < filter_size(by_channel); ++i) REQUIRE(std::abs(static_cast<double>(dw[i]) / exact - 1) < 2e-6);
    sizes const deep = of_image(1, axis_of(3, 3), axis_of(3, 3), 3000, 1);   // 27000 terms
    test::tensor<float> const a({27000}, 0.1f), b({27000}, 0.3f);
    test::tensor<float> y({1});
    scratch_memory more(kernels::convolve_memory(deep, {extent_of(3), extent_of(3), 3000}, 4));
    kernels::convolve(deep, a.data(), b.data(), y.data(), 0, 1, more.data());
    REQUIRE(std::abs(static_cast<double>(y[0]) / (27000 * static_cast<double>(0.1f) * static_cast<double>(0.3f)) - 1) < 5e-6);
}
