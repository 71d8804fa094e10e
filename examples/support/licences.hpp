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

/// The texts, one for each file, in the order of the names. None if the folder is missing.
inline std::vector<std::string> licence_texts() {
    std::vector<std::filesystem::path> files;
    std::error_code missing;
    for (auto const& entry : std::filesystem::directory_iterator("/usr/share/common-licenses", missing))
        if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> texts;
    for (auto const& path : files) {
        std::ifstream file(path);
        texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return texts;
}

}   // namespace examples
