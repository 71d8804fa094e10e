// SPDX-License-Identifier: MIT
// UTF-8 and quoted JSON strings, as far as headers of files need them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// The length of the valid UTF-8 sequence at s[i], or 0. RFC 3629: no overlong forms, no surrogates, at most U+10FFFF. i must be less
/// than s.size().
XGRAD_COLD constexpr std::size_t utf8_length(std::string_view s, std::size_t i) noexcept {
    if (static_cast<unsigned char>(s[i]) < 0x80) return 1;
    unsigned byte[4] = {};
    for (std::size_t k = 0; k < 4 && i + k < s.size(); ++k) byte[k] = static_cast<unsigned char>(s[i + k]);
    std::size_t tails = 0;
    while (tails < 3 && (byte[1 + tails] & 0xC0u) == 0x80u) ++tails;
    unsigned const a = byte[0], b = byte[1];
    std::size_t const more = a >= 0xC2 && a <= 0xDF ? 1 : a >= 0xE0 && a <= 0xEF ? 2 : a >= 0xF0 && a <= 0xF4 ? 3 : 0;
    bool const wrong = (a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F);
    return more == 0 || tails < more || wrong ? 0 : more + 1;
}
constexpr bool is_utf8(std::string_view s) noexcept {
    for (std::size_t i = 0; i < s.size();) {
        std::size_t const n = utf8_length(s, i);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

XGRAD_COLD inline void append_json_string(std::string& out, std::string_view s) {
    constexpr char digits[] = "0123456789abcdef";
    out.append("\"", 1);
    for (char const c : s) {
        unsigned const code = static_cast<unsigned char>(c);
        char const escaped[] = {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]};
        char const quoted[] = {'\\', c};
        if (code < 0x20) out.append(escaped, 6);
        else if (c == '"' || c == '\\') out.append(quoted, 2);
        else out.append(&c, 1);
    }
    out.append("\"", 1);
}

/// Writes one code point as up to four bytes and returns their end. It must be at most U+10FFFF and not a surrogate.
XGRAD_COLD constexpr char* put_utf8(char* to, std::uint32_t code) {
    auto const put = [&](std::uint32_t byte) { *to++ = static_cast<char>(static_cast<unsigned char>(byte)); };
    int const tails = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    put(leads[tails] | (code >> 6 * tails));
    for (int k = tails; k-- > 0;) put(0x80 | (code >> 6 * k & 0x3F));
    return to;
}

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
