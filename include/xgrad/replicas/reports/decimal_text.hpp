// SPDX-License-Identifier: MIT
// Prints numbers of reports with a decimal point, independent of the locale.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <cmath>
#include <cstdint>
#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// x with `digits` digits after the point. |x| * 10^digits must fit std::int64_t.
XGRAD_COLD inline std::string decimal_text(double x, int digits) {
    std::int64_t unit = 1;
    for (int d = 0; d < digits; ++d) unit *= 10;
    std::int64_t const n = std::llround(std::abs(x) * static_cast<double>(unit));
    std::string text = message({x < 0 && n > 0 ? "-" : "", n / unit});
    if (digits == 0) return text;
    std::string const rest = message({n % unit});
    return text + "." + std::string(static_cast<std::size_t>(digits) - rest.size(), '0') + rest;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
