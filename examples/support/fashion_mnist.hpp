// SPDX-License-Identifier: MIT
// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017) as Debian's package dataset-fashion-mnist installs it.
#pragma once

#include <support/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace examples {

struct image_set {
    static constexpr std::size_t pixels = 28 * 28;
    std::vector<float> images;          // [size, 784], from 0 (white background) to 1
    std::vector<std::int32_t> labels;   // [size], 0 ... 9
    std::size_t size() const { return labels.size(); }
};
struct fashion_mnist {
    image_set train, test;   // 60,000 and 10,000
};

/// The folder: the environment variable FASHION_MNIST, else Debian's.
inline std::filesystem::path fashion_mnist_folder() {
    char const* const chosen = std::getenv("FASHION_MNIST");
    return chosen && *chosen ? chosen : "/usr/share/datasets/fashion-mnist";
}

/// Empty if the data set is there, else a sentence that says what to do.
inline std::string fashion_mnist_missing() {
    std::filesystem::path const folder = fashion_mnist_folder();
    for (char const* name : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
        if (!std::filesystem::exists(folder / (name + std::string(".gz"))))
            return "Fashion-MNIST is not in " + folder.string() +
                   ": apt-get install dataset-fashion-mnist, or set FASHION_MNIST to the folder of its .gz files";
    return {};
}

namespace detail {

// gzip is in every Debian and Ubuntu; a pipe from it spares a library.
inline std::vector<std::uint8_t> unpack(std::filesystem::path const& path, std::size_t bytes) {
    std::string command = "gzip -dc -- '";
    for (char const c : path.string()) command += c == '\'' ? "'\\''" : std::string(1, c);
    std::FILE* const pipe = ::popen((command + "'").c_str(), "r");
    if (!pipe) throw input_error(path.string() + ": cannot start gzip");
    std::vector<std::uint8_t> data(bytes + 1);   // one more, to see a file that is too long
    std::size_t const found = std::fread(data.data(), 1, data.size(), pipe);
    bool const good = ::pclose(pipe) == 0;
    if (!good || found != bytes) throw input_error(path.string() + ": should unpack to " + std::to_string(bytes) + " bytes, but does not");
    data.resize(bytes);
    return data;
}

inline std::uint32_t big_endian(std::uint8_t const* p) {
    return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

inline image_set read_images(std::filesystem::path const& folder, std::string const& part, std::uint32_t count) {
    image_set set;
    std::filesystem::path const image_file = folder / (part + "-images-idx3-ubyte.gz"),
                                label_file = folder / (part + "-labels-idx1-ubyte.gz");
    auto const images = unpack(image_file, 16 + count * image_set::pixels);
    auto const labels = unpack(label_file, 8 + count);
    if (big_endian(&images[0]) != 0x803 || big_endian(&images[4]) != count || big_endian(&images[8]) != 28 || big_endian(&images[12]) != 28)
        throw input_error(image_file.string() + ": is not an idx file of " + std::to_string(count) + " pictures of 28 x 28");
    if (big_endian(&labels[0]) != 0x801 || big_endian(&labels[4]) != count)
        throw input_error(label_file.string() + ": is not an idx file of " + std::to_string(count) + " labels");
    set.images.reserve(images.size() - 16);
    for (std::size_t i = 16; i < images.size(); ++i) set.images.push_back(static_cast<float>(images[i]) / 255.0f);
    for (std::size_t i = 8; i < labels.size(); ++i) {
        if (labels[i] > 9) throw input_error(label_file.string() + ": byte " + std::to_string(i) + " is not a label from 0 to 9");
        set.labels.push_back(labels[i]);
    }
    return set;
}

}   // namespace detail

/// Reads all four files; input_error if they are missing or are not what they should be.
inline fashion_mnist read_fashion_mnist() {
    if (std::string const missing = fashion_mnist_missing(); !missing.empty()) throw input_error(missing);
    std::filesystem::path const folder = fashion_mnist_folder();
    return {detail::read_images(folder, "train", 60000), detail::read_images(folder, "t10k", 10000)};
}

}   // namespace examples
