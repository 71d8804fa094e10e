// SPDX-License-Identifier: MIT
// Linear algebra of the matrices in the last two axes: Cholesky, triangular systems, LU, QR, symmetric eigenvalues, singular values,
// pseudo-inverses, exponentials, roots.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/linalg/cholesky.hpp>
#include <xgrad/ops/linalg/eigh.hpp>
#include <xgrad/ops/linalg/lu.hpp>
#include <xgrad/ops/linalg/matrix_functions.hpp>
#include <xgrad/ops/linalg/qr.hpp>
#include <xgrad/ops/linalg/solve.hpp>
#include <xgrad/ops/linalg/square_root.hpp>
#include <xgrad/ops/linalg/svd.hpp>
#include <xgrad/config/macros_end.hpp>
