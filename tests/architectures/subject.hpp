// SPDX-License-Identifier: MIT
// What both translation units use. Add what is worth watching here: every symbol of xgrad in the two objects is compared.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/error.hpp>
#if __has_include(<xgrad/xgrad.hpp>)
#    include <xgrad/xgrad.hpp>
#endif

#include <cstddef>

/// The type of the object that must not cross from one architecture to the other.
using subject = xgrad::shape_error;

// No function of our own has external linkage here except those that each unit names for itself.
namespace {

float work(float const* data, std::size_t count) {
    namespace simd = xgrad::simd;
    if (count % simd::width<float> != 0) xgrad::raise<xgrad::shape_error>("the test passes whole batches");
    auto total = simd::broadcast<simd::batch<float>>(0.0f);
    for (std::size_t i = 0; i < count; i += simd::width<float>) total = total + simd::load(data + i);
    return simd::sum(total);
}

}
