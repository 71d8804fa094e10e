// SPDX-License-Identifier: MIT
// UTF-8 and the quoting of JSON strings, as far as file headers need them.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// Length of the valid UTF-8 sequence at s[i] (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), 0 if there is none.
constexpr std::size_t utf8_length(std::string_view s, std::size_t i) noexcept {
    auto const at = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
    unsigned const a = at(i), b = at(i + 1);
    auto const tail = [&](std::size_t k) { return (at(k) & 0xC0u) == 0x80u; };
    if (a < 0x80) return 1;
    if (a >= 0xC2 && a <= 0xDF) return tail(i + 1) ? 2 : 0;
    if (a >= 0xE0 && a <= 0xEF) {
        bool const second = a == 0xE0 ? b >= 0xA0 && b <= 0xBF : a == 0xED ? b >= 0x80 && b <= 0x9F : tail(i + 1);
        return second && tail(i + 2) ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        bool const second = a == 0xF0 ? b >= 0x90 && b <= 0xBF : a == 0xF4 ? b >= 0x80 && b <= 0x8F : tail(i + 1);
        return second && tail(i + 2) && tail(i + 3) ? 4 : 0;
    }
    return 0;
}
constexpr bool is_utf8(std::string_view s) noexcept {
    for (std::size_t i = 0; i < s.size();) {
        std::size_t const n = utf8_length(s, i);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

inline void append_json_string(std::string& out, std::string_view s) {
    constexpr char digits[] = "0123456789abcdef";
    out += '"';
    for (char const c : s) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4];
            out += digits[static_cast<unsigned char>(c) & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

/// Appends one code point, at most U+10FFFF and no surrogate.
inline void append_utf8(std::string& out, std::uint32_t code) {
    auto const put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0 | (code >> 6));
    } else {
        if (code < 0x10000) {
            put(0xE0 | (code >> 12));
        } else {
            put(0xF0 | (code >> 18));
            put(0x80 | (code >> 12 & 0x3F));
        }
        put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
}

}   // namespace detail

XGRAD_NAMESPACE_END
