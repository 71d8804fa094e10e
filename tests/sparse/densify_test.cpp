// SPDX-License-Identifier: MIT
// Slices to dense arrays, and indices that do not fit.
#include <xgrad/sparse/densify.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace sp = xgrad::sparse;

TEST_CASE_TEMPLATE("A13 densify adds, and refuses indices outside the table", Index, std::int32_t, std::int64_t) {
    std::vector<float> const values{1, 2, 4};
    std::vector<float> dense{-1, -1};
    std::vector<Index> const good{0, 0, 1};
    sp::densify(good.data(), values.data(), 3, 1, 2, dense.data());
    CHECK(dense == std::vector<float>{3, 4});
    // TensorFlow ignores the −1 and gives [[3],[0]]; here it is an error like the 2, and nothing is written
    for (Index bad : {Index(-1), Index(2)}) {
        std::vector<Index> const indices{0, 0, bad};
        dense = {-1, -1};
        CHECK_THROWS_AS(sp::densify(indices.data(), values.data(), 3, 1, 2, dense.data()), xgrad::value_error);
        CHECK(dense == std::vector<float>{-1, -1});
    }
}

TEST_CASE("densify without slices is zero") {
    std::vector<double> dense{1, 2, 3, 4};
    sp::densify<double, std::int32_t>(nullptr, nullptr, 0, 2, 2, dense.data());
    CHECK(dense == std::vector<double>(4, 0.0));
}
