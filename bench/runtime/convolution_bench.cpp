// SPDX-License-Identifier: MIT
// Convolutions and their two gradients next to oneDNN, on one core. Without oneDNN there are no rows.
// The loops run on plain arrays, as a program's steps run them.
#include "frame.hpp"

#ifdef XGRAD_BENCH_ONEDNN
#    include "hand/onednn_convolution.hpp"

#    include <xgrad/kernels/convolution/scratch.hpp>

#    include <algorithm>
#    include <cmath>
#    include <cstdlib>
#    include <memory>
#    include <unistd.h>

namespace {
namespace kernels = xgrad::kernels::convolution;

struct release {
    void operator()(void* p) const { std::free(p); }
};
template<class T>
using memory = std::unique_ptr<T[], release>;
template<class T>
memory<T> allocate(std::int64_t n) {
    auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
    return memory<T>(static_cast<T*>(std::aligned_alloc(64, (bytes + 127) / 64 * 64)));
}
memory<float> numbers(std::int64_t n, std::uint32_t seed) {
    memory<float> r = allocate<float>(n);
    for (std::int64_t i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        r[static_cast<std::size_t>(i)] = static_cast<float>(seed >> 8) * 0x1p-23f - 1;
    }
    return r;
}
kernels::sizes sizes_of(hand::convolution_shape const& s) {
    return {s.batch,
        {{1, 1, 1, 1, 1, 0}, {s.height, s.places_h(), s.size_h, s.stride, 1, s.before_h},
            {s.width, s.places_w(), s.size_w, s.stride, 1, s.before_w}},
        s.in / s.groups, s.out / s.groups, s.groups};
}
struct arrays {
    std::int64_t nx, ny, nw;
    memory<float> x = numbers(nx, 1), w = numbers(nw, 2), g = numbers(ny, 3), y = numbers(ny, 4), dx = numbers(nx, 5), dw = numbers(nw, 6);
};
void agree(bench::suite& suite, std::string const& name, float const* ours, memory<float> const& theirs, std::int64_t n) {
    double largest = 0, scale = 1;
    for (std::int64_t i = 0; i < n; ++i) {
        double const b = theirs[static_cast<std::size_t>(i)];
        largest = std::max(largest, std::abs(static_cast<double>(ours[i]) - b));
        scale = std::max(scale, std::abs(b));
    }
    suite.agree(name, "the largest difference", largest / scale, 0, 1e-5);
}
void rows(bench::suite& suite, std::string const& name, hand::convolution_shape s, std::int64_t batch) {
    std::string const title = name + ", batch " + std::to_string(batch);
    bool wanted = false;
    for (char const* part : {"", ", gradient of x", ", gradient of w"}) wanted = wanted || suite.wanted(title + part);
    if (!wanted) return;
    s.batch = batch;
    kernels::sizes const k = sizes_of(s);
    arrays a{k.array_rows() * k.array_row(), k.place_rows() * k.place_row(), k.lines() * s.size_w * k.in * s.out};
    arrays b{a.nx, a.ny, a.nw};
    hand::onednn_convolution theirs(s, b.x.get(), b.w.get(), b.g.get(), b.y.get(), b.dx.get(), b.dw.get());
    auto const extent = [](std::int64_t n) { return xgrad::static_extent(n); };
    kernels::read_array const array{extent(s.height), extent(s.width), s.in}, places{extent(s.places_h()), extent(s.places_w()), s.out};
    bool const by_channel = k.is_by_channel();
    auto const bytes =
        std::max({(by_channel ? kernels::convolve_channels_memory(k, array, 4) : kernels::convolve_memory(k, array, 4)).constant,
            (by_channel ? kernels::convolve_channels_back_memory(k, places, extent(s.width), 4)
                        : kernels::convolve_back_memory(k, places, 4))
                .constant,
            (by_channel ? kernels::convolve_channels_filter_memory(k, array, 4) : kernels::convolve_filter_memory(k, array, 4)).constant});
    auto const scratch = allocate<std::byte>(bytes);
    std::int64_t const filter_rows = k.lines() * s.size_w * k.in;
    auto const forward = [&] {
        (by_channel ? kernels::convolve_channels<float> : kernels::convolve<float>)(k, a.x.get(), a.w.get(), a.y.get(), 0, k.place_rows(),
            scratch.get());
    };
    auto const back = [&] {
        (by_channel ? kernels::convolve_channels_back<float> : kernels::convolve_back<float>)(k, a.g.get(), a.w.get(), a.dx.get(), 0,
            k.array_rows(), scratch.get());
    };
    auto const filter = [&] {
        (by_channel ? kernels::convolve_channels_filter<float> : kernels::convolve_filter<float>)(k, a.x.get(), a.g.get(), a.dw.get(), 0,
            filter_rows, scratch.get());
    };
    forward(), back(), filter();
    theirs.forward(), theirs.input_gradient(), theirs.filter_gradient();
    agree(suite, title, a.y.get(), b.y, a.ny);
    agree(suite, title + ", gradient of x", a.dx.get(), b.dx, a.nx);
    agree(suite, title + ", gradient of w", a.dw.get(), b.dw, a.nw);
    suite.row(title, forward, [&] { theirs.forward(); });
    suite.row(title + ", gradient of x", back, [&] { theirs.input_gradient(); });
    suite.row(title + ", gradient of w", filter, [&] { theirs.filter_gradient(); });
}
}   // namespace

int main(int argc, char** argv) {
    if (std::getenv("OMP_NUM_THREADS") == nullptr) {   // OpenMP reads it when the program is loaded
        setenv("OMP_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv);
    }
    bench::suite suite(argc, argv, "convolutions next to oneDNN");
    for (std::int64_t batch : {1, 32}) {
        rows(suite, "5 x 5, 28 x 28 x 1 to 6", {0, 28, 28, 1, 6, 5, 5, 1, 2, 2, 2, 2, 1}, batch);
        rows(suite, "5 x 5, 14 x 14 x 6 to 16", {0, 14, 14, 6, 16, 5, 5, 1, 0, 0, 0, 0, 1}, batch);
        rows(suite, "3 x 3, 32 x 32 x 3 to 16", {0, 32, 32, 3, 16, 3, 3, 1, 1, 1, 1, 1, 1}, batch);
        rows(suite, "3 x 3, 32 x 32 x 16 to 16", {0, 32, 32, 16, 16, 3, 3, 1, 1, 1, 1, 1, 1}, batch);
        rows(suite, "3 x 3 stride 2, 32 x 32 x 16 to 32", {0, 32, 32, 16, 32, 3, 3, 2, 0, 0, 1, 1, 1}, batch);
        rows(suite, "3 x 3, 16 x 16 x 32 to 32", {0, 16, 16, 32, 32, 3, 3, 1, 1, 1, 1, 1, 1}, batch);
        rows(suite, "3 x 3, 8 x 8 x 64 to 64", {0, 8, 8, 64, 64, 3, 3, 1, 1, 1, 1, 1, 1}, batch);
        rows(suite, "1 x 1, 48 x 48 x 8 to 16", {0, 48, 48, 8, 16, 1, 1, 1, 0, 0, 0, 0, 1}, batch);
        rows(suite, "1 x 1, 16 x 16 x 64 to 64", {0, 16, 16, 64, 64, 1, 1, 1, 0, 0, 0, 0, 1}, batch);
        rows(suite, "1 x 1 stride 2, 32 x 32 x 16 to 32", {0, 32, 32, 16, 32, 1, 1, 2, 0, 0, 0, 0, 1}, batch);
        rows(suite, "line of 9, 98 x 40 to 64", {0, 1, 98, 40, 64, 1, 9, 1, 0, 4, 0, 4, 1}, batch);
        rows(suite, "depthwise 3 x 3, 48 x 48 x 8", {0, 48, 48, 8, 8, 3, 3, 1, 1, 1, 1, 1, 8}, batch);
        rows(suite, "depthwise 3 x 3 stride 2, 48 x 48 x 16", {0, 48, 48, 16, 16, 3, 3, 2, 0, 0, 1, 1, 16}, batch);
        rows(suite, "depthwise 3 x 3, 24 x 24 x 32", {0, 24, 24, 32, 32, 3, 3, 1, 1, 1, 1, 1, 32}, batch);
        rows(suite, "depthwise 3 x 3, 6 x 6 x 128", {0, 6, 6, 128, 128, 3, 3, 1, 1, 1, 1, 1, 128}, batch);
    }
    return suite.finish();
}
#else
int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "convolutions next to oneDNN, which was not found");
    return suite.finish();
}
#endif
