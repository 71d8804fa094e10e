// SPDX-License-Identifier: MIT
// Equality of bits: 0 and -0 differ, a NaN equals itself.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

namespace test {
template<class T>
    requires std::is_arithmetic_v<T>
bool same_bits(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template<class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
}   // namespace test
