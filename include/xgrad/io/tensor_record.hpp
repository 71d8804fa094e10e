// SPDX-License-Identifier: MIT
// A named tensor to write to a file.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>

#include <cstdint>
#include <string>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// One tensor to write: C order, little endian. `data` may be null if the shape has a 0. An empty shape means a scalar.
struct tensor_record {
    std::string name;
    dtype type = dtype::float32;
    std::vector<std::int64_t> shape;
    void const* data = nullptr;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
