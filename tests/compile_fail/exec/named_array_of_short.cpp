// SPDX-License-Identifier: MIT
// expect-error: xgrad::named_array\{name, array\}: inputs take float, double, signed integers of 32 or 64 bits
// integers of 16 bits, by name.
#include <xgrad/exec/named_arrays.hpp>

#include <vector>

#ifdef XGRAD_EXPECT_ERROR
using element = short;
#else
using element = int;
#endif
std::vector<element> const ids(4);
xgrad::named_array const a{"ids", ids};
