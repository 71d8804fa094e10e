// SPDX-License-Identifier: MIT
// expect-error: xgrad::named_array\{name, array\}: the array has an element type that no input has
// A text, by name.
#include <xgrad/exec/named_arrays.hpp>

#include <vector>

#ifdef XGRAD_EXPECT_ERROR
using element = char;
#else
using element = signed char;
#endif
std::vector<element> const ids(4);
xgrad::named_array const a{"ids", ids};
