// SPDX-License-Identifier: MIT
// The version of xgrad; CMake reads it from here.
#pragma once

#define XGRAD_VERSION_MAJOR 0
#define XGRAD_VERSION_MINOR 1
#define XGRAD_VERSION_PATCH 0
