// SPDX-License-Identifier: MIT
// The program of every consumer: it must see the version, the settings of the library and its code.
#include <xgrad/config/version.hpp>
#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>

#if !defined(XGRAD_USE_XSIMD) || !defined(XGRAD_USE_BLAS)
#    error "the package did not hand over its settings"
#endif

int main() {
    static_assert(xgrad::dtype_of<float> == xgrad::dtype::float32);
    return xgrad::to_string(xgrad::dtype_of<double>) == "double" && XGRAD_VERSION_MAJOR + XGRAD_VERSION_MINOR > 0 ? 0 : 1;
}
