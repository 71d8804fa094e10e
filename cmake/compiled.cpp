// SPDX-License-Identifier: MIT
// The library xgrad::compiled: the bodies that programs with XGRAD_COMPILED=1 leave out.
#define XGRAD_COMPILED 2
#include <xgrad/inspect/describe.hpp>
#include <xgrad/inspect/dot.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/io/snapshot.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/train/calibration/inverse_hessian.hpp>
#include <xgrad/train/trainer.hpp>
