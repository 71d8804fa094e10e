// SPDX-License-Identifier: MIT
// The same program in a target with the precompiled header, which is included before the first line.
#ifndef XGRAD_VERSION_MAJOR
#    error "xgrad::pch did not precompile <xgrad/xgrad.hpp>"
#endif
#if defined(EXPECT_XTENSOR) && !defined(XTENSOR_VERSION_MAJOR)
#    error "the target's own precompiled header was lost"
#endif
#include "main.cpp"
