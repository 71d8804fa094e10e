// SPDX-License-Identifier: MIT
// expect-error: xgrad: view\(i\.\.\.\) has more or fewer indices than the view has axes
// one index of two.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
void run(xg::tensor_view<float, 2> view) { view(0) = 1.0f; }
#else
void run(xg::tensor_view<float, 2> view) { view(0, 0) = 1.0f; }
#endif
