// SPDX-License-Identifier: MIT
// Everything for training. These subjects have separate headers:
// * layers other than dense and embedding: nn/*.hpp
// * many operations: the README of the repository lists their headers
// * Jacobians, Hessians and their products with vectors: grad/jacobian.hpp, grad/vector_products.hpp
// * files: io/io.hpp
// * reports and pictures of plans: inspect/*.hpp
// * checks: train/check_gradients.hpp
// * trainers of any type: train/any_trainer.hpp
// * calibration by L-BFGS: train/calibrate.hpp
// * sharpness-aware steps: train/sam.hpp
// * rows of tables: train/catch_up.hpp, train/interleaved_rows.hpp, train/growing_table.hpp
// * steps by a window of gradients: train/ggt.hpp
#pragma once
#include <xgrad/config/macros_begin.hpp>

// The language comes first: compilers print the chain of includes before an error, and a short chain keeps the error
// sentence near the top.
#include <xgrad/ops/ops.hpp>

#include <xgrad/backend/batch.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/grad/clip.hpp>
#include <xgrad/nn/nn.hpp>
#include <xgrad/optim/optim.hpp>
#include <xgrad/train/apply_gradients.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/config/macros_end.hpp>
