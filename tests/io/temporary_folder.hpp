// SPDX-License-Identifier: MIT
// A separate folder for each test case, removed at its end, and whole files as strings.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

struct temporary_folder {
    std::filesystem::path path;

    temporary_folder() {
        static std::atomic<int> counter{0};
        path = std::filesystem::temp_directory_path() / ("xgrad_io_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    temporary_folder(temporary_folder const&) = delete;
    temporary_folder& operator=(temporary_folder const&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::size_t files() const {
        std::size_t n = 0;
        for (auto const& entry : std::filesystem::directory_iterator(path)) n += entry.exists();
        return n;
    }
};

inline std::string read_bytes(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_bytes(std::filesystem::path const& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The message of the io_error that `body` raises, or "" if it raises none.
template<class Error, class Body>
std::string message_of(Body body) {
    try {
        body();
    } catch (Error const& e) { return e.what(); }
    return {};
}

#ifndef XGRAD_TEST_DATA
#    define XGRAD_TEST_DATA "tests/reference"
#endif
inline std::filesystem::path test_data(std::string_view name) { return std::filesystem::path(XGRAD_TEST_DATA) / name; }
