// SPDX-License-Identifier: MIT
// The library xgrad::compiled: the bodies that programs with XGRAD_COMPILED=1 leave out.
#define XGRAD_COMPILED 2
#include <xgrad/train/trainer.hpp>
