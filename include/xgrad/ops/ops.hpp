// SPDX-License-Identifier: MIT
// The operations that most programs need. all.hpp includes the others too.
#pragma once
#include <xgrad/config/macros_begin.hpp>

// Headers with error sentences come first: compilers print the chain of includes before the error.
#include <xgrad/core/symbol.hpp>

#include <xgrad/core/constants.hpp>
#include <xgrad/core/leaves.hpp>
#include <xgrad/core/math.hpp>

#include <xgrad/core/operations/op_slip.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/call.hpp>
#include <xgrad/ops/comparison.hpp>
#include <xgrad/ops/cond.hpp>
#include <xgrad/ops/constant_array.hpp>
#include <xgrad/ops/custom_gradient.hpp>
#include <xgrad/ops/erf.hpp>
#include <xgrad/ops/eval.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/layers.hpp>
#include <xgrad/ops/loss.hpp>
#include <xgrad/ops/mask.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/matmul_stacks.hpp>
#include <xgrad/ops/misuse.hpp>
#include <xgrad/ops/misuse_axes.hpp>
#include <xgrad/ops/prod.hpp>
#include <xgrad/ops/random.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/scan.hpp>
#include <xgrad/ops/select.hpp>
#include <xgrad/ops/shape_ops.hpp>
#include <xgrad/ops/slice.hpp>
#include <xgrad/ops/sort.hpp>
#include <xgrad/ops/top_k.hpp>
#include <xgrad/ops/while_loop.hpp>
#include <xgrad/config/macros_end.hpp>
