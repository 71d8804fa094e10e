// SPDX-License-Identifier: MIT
// Every public header that needs only the standard library: xgrad.hpp, and headers that fewer programs need. Headers
// for arrays of other libraries and for MPI are not included: xtensor.hpp, eigen.hpp, eigen_tensor.hpp, mdspan.hpp,
// transport/mpi.hpp.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/xgrad.hpp>

#include <xgrad/data/batches.hpp>
#include <xgrad/data/negative_sampling.hpp>
#include <xgrad/exec/named_arrays.hpp>
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/grad/per_example.hpp>
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/grad/with_jvp.hpp>
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/inspect/dot.hpp>
#include <xgrad/inspect/gradient_bytes.hpp>
#include <xgrad/inspect/summarize.hpp>
#include <xgrad/io/io.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/io/snapshot.hpp>
#include <xgrad/metrics/metrics.hpp>
#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/axes.hpp>
#include <xgrad/ops/blocks.hpp>
#include <xgrad/ops/classify.hpp>
#include <xgrad/ops/complex.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/einsum.hpp>
#include <xgrad/ops/fft.hpp>
#include <xgrad/ops/no_nan.hpp>
#include <xgrad/ops/products.hpp>
#include <xgrad/ops/fill.hpp>
#include <xgrad/ops/no_nan.hpp>
#include <xgrad/ops/partition.hpp>
#include <xgrad/ops/positions.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/ops/windows.hpp>
#include <xgrad/optim/numerics/line_search.hpp>
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/train/calibrate.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/train/ggt.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/transport/collectives.hpp>
#include <xgrad/transport/faulty.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/config/macros_end.hpp>
