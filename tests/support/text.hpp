// SPDX-License-Identifier: MIT
// What occurs in a text.
#pragma once

#include <cstddef>
#include <string_view>

namespace test {
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// How often `part` occurs in `text`.
inline int count(std::string_view text, std::string_view part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
    return n;
}
}   // namespace test
