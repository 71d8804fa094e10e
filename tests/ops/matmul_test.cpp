// SPDX-License-Identifier: MIT
// Products of matrices of double with all transposes: values and gradients.
#include <ops/products.hpp>

using namespace products;

TEST_CASE("products, a and b as they are") { check<double, false, false>(); }
TEST_CASE("products, transposed a") { check<double, true, false>(); }
TEST_CASE("products, transposed b") { check<double, false, true>(); }
TEST_CASE("products, both transposed") { check<double, true, true>(); }
