// SPDX-License-Identifier: MIT
// expect-error: xgrad::batches\{options, arrays\.\.\.\}: the first argument is not the options in braces, size, seed, shuffle, drop_last, name
// The name that PyTorch's loader has.
#include <xgrad/data/batches.hpp>

#include <vector>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
void make([[maybe_unused]] std::vector<float> const& a) { xg::batches all{{.batch_size = 64, .shuffle = false}, a}; }
#else
void make(std::vector<float> const& a) { xg::batches all{{.size = 64, .shuffle = false}, a}; }
#endif
