// SPDX-License-Identifier: MIT
// English text that every Debian and Ubuntu has: the licences in /usr/share/common-licenses.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace examples {

/// The texts of all files, in the order of their names. Empty if the folder is missing.
inline std::string licence_text() {
    std::vector<std::filesystem::path> files;
    std::error_code missing;
    for (auto const& entry : std::filesystem::directory_iterator("/usr/share/common-licenses", missing))
        if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string text;
    for (auto const& path : files) {
        std::ifstream file(path);
        text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return text;
}

}   // namespace examples
