// SPDX-License-Identifier: MIT
// The forward declarations are those of the definitions.
#include <xgrad/fwd.hpp>

#include <xgrad/train/calibrate.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/ggt.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

static_assert(sizeof(xgrad::status) > 0 && sizeof(xgrad::tensor_view<float, 2>) > 0 && sizeof(xgrad::adam) > 0 &&
              sizeof(xgrad::lbfgs) > 0 && sizeof(xgrad::ggt_options) > 0 && sizeof(xgrad::ggt_window) > 0 &&
              sizeof(xgrad::calibration_result) > 0);
