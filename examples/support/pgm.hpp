// SPDX-License-Identifier: MIT
// Grey pictures as PGM files, which most viewers open. A file holds small pictures of one size side by side, as in a contact sheet.
#pragma once

#include <support/error.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace examples {

/// Writes pictures of width x height pixels, from 0 (white) to 1 (black), `columns` in a row. An incomplete last row is filled with white.
inline void write_pgm(
    std::filesystem::path const& path, std::span<float const> pixels, std::size_t width, std::size_t height, std::size_t columns) {
    std::size_t const count = pixels.size() / (width * height), rows = (count + columns - 1) / columns;
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << width * columns << ' ' << height * rows << "\n255\n";
    for (std::size_t y = 0; y < height * rows; ++y)
        for (std::size_t x = 0; x < width * columns; ++x) {
            std::size_t const which = y / height * columns + x / width;
            float const v = which < count ? pixels[(which * height + y % height) * width + x % width] : 0.0f;
            file.put(static_cast<char>(255 - static_cast<int>(255 * v + 0.5f)));
        }
    if (!file.flush()) throw input_error(path.string() + ": cannot be written");
}

/// Reads such a file: the pictures one after the other.
inline std::vector<float> read_pgm(std::filesystem::path const& path, std::size_t width, std::size_t height) {
    std::ifstream file(path, std::ios::binary);
    std::string kind;
    std::size_t whole = 0, high = 0, white = 0;
    if (!(file >> kind >> whole >> high >> white) || kind != "P5" || white != 255 || !whole || !high || whole % width || high % height)
        throw input_error(
            path.string() + ": is not a PGM file (P5, 255) of pictures of " + std::to_string(width) + " x " + std::to_string(height));
    file.get();
    std::vector<float> pixels(whole * high);
    for (std::size_t y = 0; y < high; ++y)
        for (std::size_t x = 0; x < whole; ++x) {
            std::size_t const which = y / height * (whole / width) + x / width;
            pixels[(which * height + y % height) * width + x % width] = static_cast<float>(255 - file.get()) / 255;
        }
    if (!file) throw input_error(path.string() + ": ends too early");
    return pixels;
}

}   // namespace examples
