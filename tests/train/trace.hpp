// SPDX-License-Identifier: MIT
// Reads TensorFlow's traces of tests/reference and repeats the random source of their recipes.
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

namespace recipe {
inline std::uint64_t mix(std::uint64_t x) {
    std::uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
inline std::uint64_t stream(std::uint64_t seed, std::uint64_t s, std::uint64_t i) { return mix(mix(seed << 32 | s) + i); }
inline double uniform(std::uint64_t seed, std::uint64_t s, std::uint64_t i) {
    return static_cast<double>(stream(seed, s, i) >> 40) * 0x1p-24;
}
template<class View>
void symmetric(std::uint64_t seed, std::uint64_t s, double limit, View view) {
    std::uint64_t i = 0;
    for (float& x : view) x = static_cast<float>((2.0 * uniform(seed, s, i++) - 1.0) * limit);
}
template<class View>
void glorot(std::uint64_t seed, std::uint64_t s, View view) {
    symmetric(seed, s, std::sqrt(6.0 / static_cast<double>(view.shape(0) + view.shape(1))), view);
}
}

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

/// Sum and L2 norm of a variable after the last step. The sum may cancel: it is compared on the scale of the norm times the root of the size.
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
