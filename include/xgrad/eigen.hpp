// SPDX-License-Identifier: MIT
// to_eigen and as_eigen: results and variables as Eigen's vectors and matrices. Row-major matrices, and maps of them,
// can be bound to inputs without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/eigen.hpp>
#include <xgrad/config/macros_end.hpp>
