// SPDX-License-Identifier: MIT
// Linear algebra of the matrices in the last two axes: Cholesky, triangular systems, LU, QR, symmetric eigenvalues, singular values.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/cholesky.hpp>
#include <xgrad/ops/eigh.hpp>
#include <xgrad/ops/qr.hpp>
#include <xgrad/ops/solve.hpp>
#include <xgrad/ops/svd.hpp>
#include <xgrad/config/macros_end.hpp>
