// SPDX-License-Identifier: MIT
// What the example programs throw for input that they cannot use.
#pragma once

#include <stdexcept>

namespace examples {

struct input_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}   // namespace examples
