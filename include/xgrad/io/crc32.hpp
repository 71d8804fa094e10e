// SPDX-License-Identifier: MIT
// CRC-32 as in zip, gzip and Python's zlib.crc32: polynomial 0x04C11DB7, reflected, complemented.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A checksum of bytes that are added in pieces. It finds all damage within 32 consecutive bits, and any two bits in 512 MB. Of
/// other damage it misses one case in 2^32.
class crc32 {
    std::uint32_t rest_ = ~std::uint32_t{0};

public:
    void add(void const* data, std::size_t bytes);
    std::uint32_t value() const { return ~rest_; }
};
inline std::uint32_t crc32_of(void const* data, std::size_t bytes) {
    crc32 sum;
    sum.add(data, bytes);
    return sum.value();
}

#if XGRAD_COMPILED != 1
// Slicing by 16: table k has the effect of a byte that k others follow (Kounavis and Berry, 2005).
struct crc32_tables {
    std::uint32_t at[16][256];

    XGRAD_COLD crc32_tables() {
        for (std::uint32_t n = 0; n < 256; ++n) {
            std::uint32_t c = n;
            for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c % 2 != 0 ? 0xEDB88320u : 0);
            at[0][n] = c;
        }
        for (int k = 1; k < 16; ++k)
            for (int n = 0; n < 256; ++n) at[k][n] = at[k - 1][n] >> 8 ^ at[0][at[k - 1][n] & 255];
    }
};
XGRAD_HOST void crc32::add(void const* data, std::size_t bytes) {
    static crc32_tables const tables;
    auto const& t = tables.at;
    auto const* p = static_cast<unsigned char const*>(data);
    std::uint32_t c = rest_;
    for (; bytes >= 16; bytes -= 16, p += 16) {
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, p, 8);
        std::memcpy(&b, p + 8, 8);
        a ^= c;
        c = t[15][a & 255] ^ t[14][a >> 8 & 255] ^ t[13][a >> 16 & 255] ^ t[12][a >> 24 & 255] ^ t[11][a >> 32 & 255] ^
            t[10][a >> 40 & 255] ^ t[9][a >> 48 & 255] ^ t[8][a >> 56] ^ t[7][b & 255] ^ t[6][b >> 8 & 255] ^ t[5][b >> 16 & 255] ^
            t[4][b >> 24 & 255] ^ t[3][b >> 32 & 255] ^ t[2][b >> 40 & 255] ^ t[1][b >> 48 & 255] ^ t[0][b >> 56];
    }
    for (; bytes > 0; --bytes, ++p) c = c >> 8 ^ t[0][(c ^ *p) & 255];
    rest_ = c;
}
#endif

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
