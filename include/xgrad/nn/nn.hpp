// SPDX-License-Identifier: MIT
// The layers that most programs need. README.md lists the others, which have their own headers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/constraints.hpp>
#include <xgrad/nn/dense.hpp>
#include <xgrad/nn/embedding.hpp>
#include <xgrad/nn/residual.hpp>
#include <xgrad/nn/simplex.hpp>
#include <xgrad/config/macros_end.hpp>
