// SPDX-License-Identifier: MIT
// A program that uses only xgrad::core: types and shapes, no arrays.
#include <xgrad/config/version.hpp>
#include <xgrad/core/dtype.hpp>

int main() {
    static_assert(xgrad::dtype_of<float> == xgrad::dtype::float32);
    return xgrad::to_string(xgrad::dtype_of<double>) == "double" && XGRAD_VERSION_MAJOR + XGRAD_VERSION_MINOR > 0 ? 0 : 1;
}
