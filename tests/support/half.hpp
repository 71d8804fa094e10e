// SPDX-License-Identifier: MIT
// Numbers of bfloat16 and float16.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {
/// The number of type H with these bits.
template<class H>
H from_bits(unsigned bits) {
    H h;
    h.bits = static_cast<std::uint16_t>(bits);
    return h;
}
/// Rounded points of a sine: numbers of both signs in [-scale, scale].
template<class H>
std::vector<H> sine_numbers(std::size_t count, float scale = 1) {
    std::vector<H> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(H(scale * std::sin(1.7f * static_cast<float>(i) + 0.3f)));
    return r;
}
}   // namespace test
