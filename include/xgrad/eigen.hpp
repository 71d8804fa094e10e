// SPDX-License-Identifier: MIT
// to_eigen and as_eigen: results and variables as Eigen's vectors and matrices. Matrices that lie row by row, and maps of them, are bound to inputs without this
// header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/eigen.hpp>
#include <xgrad/config/macros_end.hpp>
