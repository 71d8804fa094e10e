// SPDX-License-Identifier: MIT
// expect-error: xgrad::vocabulary: it has a name
// No name.
#include <xgrad/sparse/vocabulary.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
xg::vocabulary users;
#else
xg::vocabulary users("users");
#endif
