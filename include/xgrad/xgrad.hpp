// SPDX-License-Identifier: MIT
// All of xgrad.
#pragma once

#include <xgrad/exec/function.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/nn/nn.hpp>
#include <xgrad/optim/optim.hpp>
#include <xgrad/ops/ops.hpp>
#include <xgrad/train/minimize.hpp>
