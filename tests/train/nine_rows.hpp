// SPDX-License-Identifier: MIT
// Nine rows of eleven numbers and an index below 12 for each, other ones for each k.
#pragma once

#include <cstdint>
#include <vector>

struct nine_rows {
    std::vector<float> x;
    std::vector<std::int32_t> rows;
    explicit nine_rows(int k) {
        for (int i = 0; i < 9 * 11; ++i) x.push_back(static_cast<float>((i * 13 + k) % 19) / 19 - .4f);
        for (int i = 0; i < 9; ++i) rows.push_back((i * 5 + k) % 12);
    }
};
