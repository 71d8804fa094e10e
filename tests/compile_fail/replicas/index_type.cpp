// SPDX-License-Identifier: MIT
// expect-error: xgrad: accumulator\.apply_grad\(indices, values, local_step\): indices are neither std::int32_t nor std::int64_t
// Rows that are numbered by unsigned numbers.
#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>

namespace xg = xgrad;

bool add(xg::sparse_conditional_accumulator<float>& sums) {
    float const values[] = {1, 2};
#ifdef XGRAD_EXPECT_ERROR
    std::uint32_t const rows[] = {3, 4};
#else
    std::int32_t const rows[] = {3, 4};
#endif
    return sums.apply_grad(rows, values);
}
