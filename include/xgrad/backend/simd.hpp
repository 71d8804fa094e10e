// SPDX-License-Identifier: MIT
// SIMD batches, their conversions and their mathematics: include this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>
#include <xgrad/backend/simd_convert.hpp>
#include <xgrad/backend/simd_erf.hpp>
#include <xgrad/backend/simd_hints.hpp>
#include <xgrad/backend/simd_math.hpp>
#include <xgrad/backend/simd_power.hpp>
#include <xgrad/backend/simd_trigonometry.hpp>
#include <xgrad/config/macros_end.hpp>
