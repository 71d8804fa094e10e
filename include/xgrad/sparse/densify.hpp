// SPDX-License-Identifier: MIT
// Turns indexed slices into a dense array.
#pragma once

#include <xgrad/config/config.hpp>
#include <xgrad/sparse/check_indices.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

XGRAD_NAMESPACE_BEGIN
namespace sparse {

/// dense [rows, row] ← 0, then dense[indices[k]] += values[k] in order of k. `name` stands in the message.
/// \throws value_error, before anything is written, where an index lies outside [0, rows). TensorFlow ignores negative indices silently;
/// here they are errors like the too large ones.
template<class T, class Index>
void densify(Index const* indices, T const* values, std::int64_t n, std::int64_t row, std::int64_t rows, T* dense,
    std::string_view name = "densify") {
    check_indices(indices, n, rows, name);
    std::fill(dense, dense + rows * row, T(0));
    for (std::int64_t k = 0; k < n; ++k) {
        T* const to = dense + static_cast<std::int64_t>(indices[k]) * row;
        T const* const from = values + k * row;
        for (std::int64_t e = 0; e < row; ++e) { to[e] += from[e]; }
    }
}

}   // namespace sparse
XGRAD_NAMESPACE_END
