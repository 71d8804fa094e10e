// SPDX-License-Identifier: MIT
// Files of tests/reference with lines `quantity numbers...`.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace test {
/// The numbers of each quantity, also inf and nan.
inline std::map<std::string, std::vector<double>> read_reference(std::string const& file) {
    std::map<std::string, std::vector<double>> r;
    std::ifstream in(XGRAD_TEST_DATA "/" + file);
    std::string line, word;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        words >> word;
        auto& numbers = r[word];
        while (words >> word) numbers.push_back(std::stod(word));
    }
    return r;
}
}   // namespace test
