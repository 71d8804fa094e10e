// SPDX-License-Identifier: MIT
// What the forms of a call that throw nothing return.
#pragma once

#include <xgrad/config/config.hpp>

#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Why a call did nothing.
enum class status_code : unsigned char {
    ok,
    missing_input,
    wrong_rank,
    wrong_extent,
    not_contiguous,
    overlaps,   // the array lies in memory that the call writes
    index_out_of_range,
    dimension_too_small,   // an extent such as time - 2 would be negative
    capacity_exceeded      // a named dimension is larger than reserve() allowed for
};
/// Result of the noexcept form of a call: what is wrong and with which input. Nothing has been written unless the code is ok.
struct status {
    status_code code = status_code::ok;
    std::string_view name{};
    constexpr explicit operator bool() const { return code == status_code::ok; }
};

XGRAD_NAMESPACE_END
