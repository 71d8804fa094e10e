// SPDX-License-Identifier: MIT
// How a kind of step looks in a picture.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <string_view>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The frame of a step in a picture. If `title` is empty, the picture shows the title of the step in `describe` (words_of).
struct step_frame {
    std::string_view title, fill, line;
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
