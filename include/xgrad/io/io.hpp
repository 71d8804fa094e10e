// SPDX-License-Identifier: MIT
// All of io but snapshot.hpp: checkpoints, headers, safetensors and NumPy files.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/export_header.hpp>
#include <xgrad/io/npy.hpp>
#include <xgrad/io/npz.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/config/macros_end.hpp>
