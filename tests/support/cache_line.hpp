// SPDX-License-Identifier: MIT
// Memory that begins at a multiple of 64 bytes: std::vector<cache_line>.
#pragma once

namespace test {
struct alignas(64) cache_line {
    unsigned char bytes[64];
};
}   // namespace test
