// SPDX-License-Identifier: MIT
// Reads TensorFlow's traces of tests/reference; support/recipe_random.hpp of the examples has the random source of their recipes.
#pragma once

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;

struct trace {
    std::vector<double> losses;
    std::map<std::string, std::vector<double>> variables;
};

/// The part called `name` ("" for the first): the first of `columns` numbers of each step, and all `sums` of each variable.
inline trace read_trace(std::string const& file_name, std::string const& name, int columns, int sums) {
    trace t;
    std::string path = XGRAD_TEST_DATA "/";   // no sum: g++ 12 sees a copy beyond the end of one, depending on the length
    std::ifstream file(path += file_name);
    REQUIRE(file);
    std::string line;
    bool inside = false;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::string word;
        in >> word;
        if (word.empty() || word == "#") continue;
        if (word == "trace") {
            std::string which;
            in >> which;
            inside = name.empty() || which == name;
        } else if (inside && word == "variable") {
            std::string which;
            in >> which;
            auto& list = t.variables[which];
            for (double x = 0; in >> x;) list.push_back(x);
            REQUIRE(static_cast<int>(list.size()) == sums);
        } else if (inside) {
            t.losses.push_back(std::stod(word));
            int found = 1;
            while (in >> word) ++found;
            REQUIRE(found == columns);
        }
    }
    return t;
}

inline bool near(double a, double b, double relative) { return std::fabs(a - b) <= relative * std::fabs(b); }

/// Sum and L2 norm of a variable after the last step. The sum may cancel, so it is compared on the scale of the norm times the root of the
/// size.
template<class View>
void check_variable(trace const& expected, std::string const& name, View view) {
    auto const& want = expected.variables.at(name);
    double sum = 0, squares = 0;
    for (float const x : view) {
        sum += static_cast<double>(x);
        squares += static_cast<double>(x) * static_cast<double>(x);
    }
    double const norm = std::sqrt(squares), scale = want[1] * std::sqrt(static_cast<double>(view.size()));
    CHECK_MESSAGE(near(norm, want[1], 1e-5), name << ": norm " << norm << " against " << want[1]);
    CHECK_MESSAGE(std::fabs(sum - want[0]) <= 1e-5 * scale, name << ": sum " << sum << " against " << want[0]);
}
