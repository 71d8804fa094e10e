// SPDX-License-Identifier: MIT
// All that trains. Files, pictures, checks of gradients, calibration, sharpness-aware steps and idle rows have headers of their own: io/io.hpp, inspect/*.hpp,
// train/check_gradients.hpp, train/check_finite.hpp, train/any_trainer.hpp, train/calibrate.hpp, train/sam.hpp, train/catch_up.hpp, train/interleaved_rows.hpp, train/ggt.hpp, train/growing_table.hpp.
#pragma once
#include <xgrad/config/macros_begin.hpp>

// The language comes first: compilers print how they came to a header before they say what is wrong in it, and a short way
// keeps the sentence near the top.
#include <xgrad/ops/ops.hpp>

#include <xgrad/backend/batch.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/grad/clip.hpp>
#include <xgrad/nn/nn.hpp>
#include <xgrad/optim/optim.hpp>
#include <xgrad/train/apply_gradients.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/config/macros_end.hpp>
