// SPDX-License-Identifier: MIT
// expect-error: xgrad::vocabulary: the name is missing, by which a checkpoint finds its keys
// No name.
#include <xgrad/sparse/vocabulary.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
xg::vocabulary users;
#else
xg::vocabulary users("users");
#endif
