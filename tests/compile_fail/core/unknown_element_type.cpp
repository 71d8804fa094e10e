// SPDX-License-Identifier: MIT
// expect-error: (constraints not satisfied|constraints not satisfied for|no type named|does not satisfy 'Element')
// char is not an element type.
#include <xgrad/core/dtype.hpp>

#ifdef XGRAD_EXPECT_ERROR
constexpr auto found = xgrad::dtype_of<char>;
#else
constexpr auto found = xgrad::dtype_of<float>;
#endif
static_assert(found == xgrad::dtype::float32);
