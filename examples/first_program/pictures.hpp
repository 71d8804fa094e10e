// SPDX-License-Identifier: MIT
// The parts that the first program takes for granted: batches, test_images and report.
// Ten patterns of 28 x 28 pixels under noise replace photographs.
#pragma once

#include <xgrad/xtensor.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace pictures {

using images = xt::xtensor<float, 2>;
using labels = xt::xtensor<std::int32_t, 1>;

/// Pictures `first` to `first + count`: bars, as many and as wide as the label says, and noise.
inline std::pair<images, labels> make(std::size_t first, std::size_t count) {
    std::pair<images, labels> r{images::from_shape({count, 784}), labels::from_shape({count})};
    for (std::size_t i = 0; i < count; ++i) {
        int const label = static_cast<int>((first + i) * 7 % 10);
        r.second(i) = label;
        for (std::size_t p = 0; p < 784; ++p) {
            double const bar = std::sin(0.25 * (label + 1) * static_cast<double>(p % 28)) > 0 ? 0.6 : 0.2;
            double const noise = std::sin(12.9898 * static_cast<double>(first + i) + 78.233 * static_cast<double>(p)) * 43758.5453;
            r.first(i, p) = static_cast<float>(bar + 0.4 * (noise - std::floor(noise)));
        }
    }
    return r;
}

inline std::vector<std::pair<images, labels>> make_batches(std::size_t count) {
    std::vector<std::pair<images, labels>> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(make(64 * i, 64));
    return r;
}

/// Prints every twentieth loss; at the end the program fails unless the loss has fallen to a tenth.
class reporter {
    int step_ = 0;
    float first_ = 0, last_ = 0;

public:
    void operator()(float loss) {
        if (step_ == 0) first_ = loss;
        last_ = loss;
        if (step_++ % 20 == 0) std::printf("step %3d   loss %.4f\n", step_, static_cast<double>(loss));
    }
    ~reporter() {
        if (!(last_ < first_ / 10)) {
            std::fputs("the loss has not fallen\n", stderr);
            std::_Exit(1);
        }
    }
};

}

inline auto const batches = pictures::make_batches(100);
inline auto const test_images = pictures::make(100000, 16).first;
inline pictures::reporter report;
