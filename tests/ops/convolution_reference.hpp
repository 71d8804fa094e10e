// SPDX-License-Identifier: MIT
// Convolutions by plain loops in double, and cases for them.
#pragma once

#include <support/tensor.hpp>

#include <xgrad/ops/convolution/convolution.hpp>

namespace test::convolution {
namespace kernels = xg::kernels::convolution;
using kernels::sizes;

/// Calls f(element of the array, element of the filter, element of the result) for all products.
inline void each_product(sizes const& s, auto f) {
    auto const& [d, h, w] = s.at;
    for (std::int64_t n = 0; n < s.batch; ++n)
        for (std::int64_t pd = 0; pd < d.places; ++pd)
            for (std::int64_t ph = 0; ph < h.places; ++ph)
                for (std::int64_t pw = 0; pw < w.places; ++pw)
                    for (std::int64_t kd = 0; kd < d.size; ++kd)
                        for (std::int64_t kh = 0; kh < h.size; ++kh)
                            for (std::int64_t kw = 0; kw < w.size; ++kw) {
                                std::int64_t const z = pd * d.stride + kd * d.dilation - d.before,
                                                   y = ph * h.stride + kh * h.dilation - h.before,
                                                   x = pw * w.stride + kw * w.dilation - w.before;
                                if (z < 0 || z >= d.n || y < 0 || y >= h.n || x < 0 || x >= w.n) continue;
                                std::int64_t const pixel = ((n * d.n + z) * h.n + y) * w.n + x, tap = (kd * h.size + kh) * w.size + kw,
                                                   place = ((n * d.places + pd) * h.places + ph) * w.places + pw;
                                for (std::int64_t g = 0; g < s.groups; ++g)
                                    for (std::int64_t i = 0; i < s.in; ++i)
                                        for (std::int64_t o = 0; o < s.out; ++o)
                                            f(pixel * s.array_channels() + g * s.in + i,
                                                (tap * s.in + i) * s.place_channels() + g * s.out + o,
                                                place * s.place_channels() + g * s.out + o);
                            }
}
inline std::int64_t array_size(sizes const& s) { return s.array_rows() * s.array_row(); }
inline std::int64_t place_size(sizes const& s) { return s.place_rows() * s.place_row(); }
inline std::int64_t filter_size(sizes const& s) { return s.lines() * s.at[2].size * s.in * s.place_channels(); }

/// An axis of n elements with a window of `size` and zeros on both sides.
inline kernels::axis axis_of(std::int64_t n, std::int64_t size, std::int64_t stride = 1, std::int64_t dilation = 1, std::int64_t before = 0,
    std::int64_t after = 0) {
    return {n, (n + before + after - (size - 1) * dilation - 1) / stride + 1, size, stride, dilation, before};
}
inline constexpr kernels::axis no_axis{1, 1, 1, 1, 1, 0};
inline sizes of_image(std::int64_t batch, kernels::axis h, kernels::axis w, std::int64_t in, std::int64_t out, std::int64_t groups = 1) {
    return {batch, {no_axis, h, w}, in, out, groups};
}
inline xg::extent extent_of(std::int64_t n) { return xg::static_extent(n); }

/// Scratch memory of exactly this size, with something in it.
struct scratch_memory {
    std::valarray<unsigned char> bytes;
    explicit scratch_memory(xg::extent const& n) : bytes(static_cast<unsigned char>(0xa5), static_cast<std::size_t>(n.constant + 128)) {}
    std::byte* data() {
        auto const at = reinterpret_cast<std::uintptr_t>(&bytes[0]);
        return reinterpret_cast<std::byte*>(&bytes[0]) + (64 - at % 64) % 64;
    }
    bool is_kept(xg::extent const& n) {
        for (auto const* p = reinterpret_cast<unsigned char*>(data()) + n.constant; p <= &bytes[bytes.size() - 1]; ++p)
            if (*p != 0xa5) return false;
        return true;
    }
};
template<class T>
double largest_difference(tensor<T> const& a, tensor<double> const& b) {
    double most = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        double const d = std::abs(static_cast<double>(a[i]) - b[i]);
        if (!(d <= most)) most = d;
    }
    return most;
}
}
