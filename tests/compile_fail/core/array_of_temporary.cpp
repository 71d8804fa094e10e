// SPDX-License-Identifier: MIT
// expect-error: xgrad::array\(elements, extents...\): elements is a temporary, which ends before the array is read
// The vector would be gone where `a` is read.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
std::vector<float> made();
float first() {
#ifdef XGRAD_EXPECT_ERROR
    auto const a = xg::array(made(), 2, 3);
#else
    std::vector<float> const kept = made();
    auto const a = xg::array(kept, 2, 3);
#endif
    return a(0, 0);
}
