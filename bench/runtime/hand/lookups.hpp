// SPDX-License-Identifier: MIT
// Hand-written: rows of a table by index, and 3 x 3 maxima of images, followed by a bias and relu. Each number passes the registers once.
#pragma once

#include "data.hpp"
#include "vec.hpp"

#include <algorithm>
#include <vector>

namespace hand {
inline namespace HAND_NAMESPACE {

/// Rows of `Width` numbers.
template<int Width>
class lookups {
public:
    int rows, count;
    buffer<float> table, bias{Width}, out;
    std::vector<std::int32_t> ids;

    lookups(int table_rows, int n)
        : rows(table_rows), count(n), table(std::size_t(table_rows) * Width), out(std::size_t(n) * Width), ids(std::size_t(n)) {
        for (std::size_t i = 0; i < std::size_t(rows) * Width; ++i) table[i] = float(uniform(21, 0, i) - 0.5);
        for (std::size_t i = 0; i < Width; ++i) bias[i] = float(uniform(21, 1, i) - 0.5);
        for (std::size_t i = 0; i < std::size_t(n); ++i) ids[i] = std::int32_t(uniform(21, 2, i) * rows);
    }
    [[gnu::noinline]] void run() {
        float const* const from = table;
        float* to = out;
        for (int i = 0; i < count; ++i, to += Width) {
            float const* const row = from + std::size_t(ids[std::size_t(i)]) * Width;
#pragma GCC unroll 8
            for (int j = 0; j < Width; j += wf) {
                vf const x = load<vf>(row + j) + load<vf>(static_cast<float const*>(bias) + j);
                store<vf>(to + j, x > 0 ? x : vf{});
            }
        }
    }
};

/// The largest of 3 x 3 neighbours in images [height + 2, width + 2, channels].
class pooling {
public:
    int height, width, channels;
    buffer<float> image, bias, out;

    pooling(int h, int w, int c)
        : height(h), width(w), channels(c), image(std::size_t(h + 2) * std::size_t(w + 2) * std::size_t(c)), bias(std::size_t(c)),
          out(std::size_t(h) * std::size_t(w) * std::size_t(c)) {
        for (std::size_t i = 0; i < std::size_t(h + 2) * std::size_t(w + 2) * std::size_t(c); ++i)
            image[i] = float(uniform(22, 0, i) - 0.5);
        for (std::size_t i = 0; i < std::size_t(c); ++i) bias[i] = float(uniform(22, 1, i) - 0.5);
    }
    [[gnu::noinline]] void run() {
        float* to = out;
        for (int i = 0; i < height; ++i)
            for (int j = 0; j < width; ++j, to += channels)
                for (int c = 0; c < channels; c += wf) {
                    vf most = load<vf>(at(i, j, c));
#pragma GCC unroll 3
                    for (int p = 0; p < 3; ++p)
#pragma GCC unroll 3
                        for (int q = 0; q < 3; ++q) {
                            vf const x = load<vf>(at(i + p, j + q, c));
                            most = x > most ? x : most;
                        }
                    vf const y = most + load<vf>(static_cast<float const*>(bias) + c);
                    store<vf>(to + c, y > 0 ? y : vf{});
                }
    }

private:
    float const* at(int i, int j, int c) const {
        return static_cast<float const*>(image) + (std::size_t(i) * std::size_t(width + 2) + std::size_t(j)) * std::size_t(channels) + c;
    }
};

}
}   // namespace hand
