// SPDX-License-Identifier: MIT
// What tests/reference/chains.py has written.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace xgrad_test {

/// One case: its numbers by step and name, and the inputs by the formulas of the script.
class chain_case {
    std::map<std::pair<int, std::string>, std::vector<double>> values_;

    static std::pair<int, int> place(std::string const& name) { return name == "matrix" ? std::pair(0, 15) : std::pair(15, 4); }

public:
    static constexpr int steps = 8;

    explicit chain_case(std::string const& name) {
        std::ifstream file(XGRAD_TEST_DATA "/chains.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string which, what;
            int step;
            if (!(words >> which >> step >> what) || which != name) continue;
            for (double x; words >> x;) values_[{step, what}].push_back(x);
        }
    }
    bool has(int step, std::string const& what) const { return values_.count({step, what}) > 0; }
    std::vector<double> const& at(int step, std::string const& what) const { return values_.at({step, what}); }
    bool empty() const { return values_.empty(); }

    static std::vector<double> start(std::string const& name) {
        std::vector<double> v;
        auto const [first, n] = place(name);
        for (int i = first; i < first + n; ++i) v.push_back(((3 * i) % 8 - 4) / 4.0);
        return v;
    }
    static std::vector<double> gradient(std::string const& name, int step) {
        std::vector<double> v;
        auto const [first, n] = place(name);
        for (int i = first; i < first + n; ++i) v.push_back(((7 * i + 5 * step + 3) % 16 - 8) / 16.0);
        return v;
    }
};

/// `n` numbers in [-1, 1), the same for the same seed.
inline std::vector<double> random_numbers(int seed, std::size_t n) {
    std::vector<double> v;
    for (std::size_t i = 0; i < n; ++i) v.push_back(static_cast<double>((static_cast<int>(i) * 7 + seed * 5 + 3) % 16 - 8) / 8);
    return v;
}
}   // namespace xgrad_test
