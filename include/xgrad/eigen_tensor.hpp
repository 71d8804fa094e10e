// SPDX-License-Identifier: MIT
// to_eigen_tensor and as_eigen_tensor: results and variables as tensors of Eigen's unsupported/Eigen/CXX11/Tensor.
// Tensors of Layout RowMajor can be bound to inputs without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/eigen_tensor.hpp>
#include <xgrad/config/macros_end.hpp>
