// SPDX-License-Identifier: MIT
// Sound as WAV files of one channel and 16 bits, which every player opens.
#pragma once

#include <support/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace examples {

namespace detail {
inline void put_little_endian(std::ostream& file, std::uint32_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) file.put(static_cast<char>(value >> 8 * k & 255));
}
}   // namespace detail

/// Writes samples in [-4, 4], a quarter as loud, and cuts larger ones.
inline void write_wav(std::filesystem::path const& path, std::span<float const> samples, std::uint32_t rate) {
    std::ofstream file(path, std::ios::binary);
    auto const bytes = static_cast<std::uint32_t>(2 * samples.size());
    auto const number = [&](std::uint32_t value, int size) { detail::put_little_endian(file, value, size); };
    file << "RIFF", number(36 + bytes, 4), file << "WAVEfmt ", number(16, 4);
    number(1, 2), number(1, 2), number(rate, 4), number(2 * rate, 4), number(2, 2), number(16, 2);   // PCM, one channel
    file << "data", number(bytes, 4);
    for (float const s : samples)
        number(static_cast<std::uint32_t>(static_cast<std::int32_t>(8191.75f * std::clamp(s, -4.0f, 4.0f))) & 0xFFFF, 2);
    if (!file.flush()) throw input_error(path.string() + ": cannot be written");
}

/// Reads a file that write_wav wrote, or another one whose header has 44 bytes.
inline std::vector<float> read_wav(std::filesystem::path const& path, std::uint32_t rate) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> const data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto const at = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(data[k])); };
    bool const good = data.size() >= 44 && std::memcmp(data.data(), "RIFF", 4) == 0 && std::memcmp(&data[36], "data", 4) == 0;
    if (!good || at(22) != 1 || at(34) != 16 || (at(24) | at(25) << 8 | at(26) << 16) != rate)
        throw input_error(path.string() + ": is not a WAV file of one channel, 16 bits and " + std::to_string(rate) + " Hz");
    std::vector<float> samples((data.size() - 44) / 2);
    for (std::size_t k = 0; k < samples.size(); ++k)
        samples[k] = static_cast<float>(static_cast<std::int16_t>(at(44 + 2 * k) | at(45 + 2 * k) << 8)) / 8191.75f;
    return samples;
}

}   // namespace examples
