// SPDX-License-Identifier: MIT
// Indices outside a table are found and named.
#include <xgrad/sparse/check_indices.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace sp = xgrad::sparse;

TEST_CASE_TEMPLATE("the first bad index is found", Index, std::int32_t, std::int64_t) {
    std::vector<Index> indices(100, 3);
    CHECK(sp::first_out_of_range(indices.data(), 100, 4) == -1);
    CHECK(sp::first_out_of_range(indices.data(), 0, 0) == -1);
    CHECK(sp::first_out_of_range(indices.data(), 100, 3) == 0);
    for (Index bad : {Index(-1), Index(4), std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()}) {
        indices[57] = bad;
        indices[80] = -1;
        CHECK(sp::first_out_of_range(indices.data(), 100, 4) == 57);
    }
}

TEST_CASE("the message names table, index, offset and range") {
    std::int32_t const indices[] = {0, 4, 7};
    sp::check_indices(indices, 3, 8, "users");
    std::string message;
    try {
        sp::check_indices(indices, 3, 5, "users");
    } catch (xgrad::value_error const& e) { message = e.what(); }
    CHECK(message == "users: index 7 at offset 2 in indices is out of range [0, 5)");
}
