// SPDX-License-Identifier: MIT
// expect-error: xgrad::batches\{options, arrays...\}: an array is a temporary, which ends before its rows are read; give it a name
#include <xgrad/data/batches.hpp>

#include <vector>

namespace xg = xgrad;
void make(std::vector<float> const& x) {
#ifdef XGRAD_EXPECT_ERROR
    xg::batches all{{.size = 64}, x, std::vector<int>(100)};
#else
    std::vector<int> const labels(100);
    xg::batches all{{.size = 64}, x, labels};
#endif
}
