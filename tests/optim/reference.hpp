// SPDX-License-Identifier: MIT
// What other tools made of the same steps (tests/reference/optimizers.py, rules.py, matrix_rules.py), and the numbers that go in.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "optim/table.hpp"

namespace xgrad_test {

inline constexpr int reference_rows = 5, reference_row = 3;

/// Numbers by "case step quantity". A line of the file has `skipped` words before these three.
class reference {
    std::map<std::string, std::vector<double>> values_;

public:
    reference(char const* file, int skipped) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string name, step, quantity;
            for (int k = 0; k <= skipped; ++k) words >> name;
            words >> step >> quantity;
            auto& v = values_[name + " " + step + " " + quantity];
            for (double x; words >> x;) v.push_back(x);
        }
    }
    std::vector<double> const& of(std::string const& which) const {
        auto const found = values_.find(which);
        REQUIRE_MESSAGE(found != values_.end(), which << " is missing from the reference");
        return found->second;
    }
    /// |a − b| ≤ tolerance · max(|b|, 0.1).
    void compare(std::string const& which, std::vector<double> const& values, double tolerance) const {
        std::vector<double> const& expected = of(which);
        REQUIRE(expected.size() == values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            INFO(which << "[" << i << "]: " << values[i] << " against " << expected[i]);
            CHECK(near(values[i], expected[i], tolerance, 0.1));
        }
    }
};

template<class T>
std::vector<T> reference_start(int size = reference_rows * reference_row) {
    std::vector<T> theta;
    for (int i = 0; i < size; ++i) theta.push_back(static_cast<T>((3 * i) % 8 - 4) / 4);
    return theta;
}
template<class T>
std::vector<T> reference_gradient(int step, int slices, int row = reference_row) {
    std::vector<T> g;
    for (int i = 0; i < slices * row; ++i) g.push_back(static_cast<T>((7 * i + 5 * step + 3) % 16 - 8) / 16);
    return g;
}
/// Moves a table by step 1, 2, … of the references.
template<class Rule, class T>
void reference_step(table<Rule, T>& v, int step, bool sparse) {
    if (sparse) v.sparse({step % 5, (3 * step + 1) % 5, step % 5}, reference_gradient<T>(step, 3));
    else v.dense(reference_gradient<T>(step, reference_rows));
}
template<class T>
std::vector<double> as_doubles(std::vector<T> const& v) {
    return {v.begin(), v.end()};
}

}   // namespace xgrad_test
