// SPDX-License-Identifier: MIT
// The number of a worker that a caller names.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Throws value_error where there is no worker k among `count`. `of` and `call` begin the sentence. No text is made where there is one.
inline void expect_worker_number(std::string_view call, int k, std::int64_t count, std::string_view of = {}) {
    if (k < 0 || k >= count) raise_parts<value_error>({"xgrad: ", of, call, ": there is no worker ", k, " among ", count});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
