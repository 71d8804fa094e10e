// SPDX-License-Identifier: MIT
// Four problems for trying optimizers: hand-written values and gradients of a few numbers.
#pragma once

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace classic {

using numbers = std::vector<double>;

struct problem {
    char const* name;
    numbers start;
    int steps;
    double least;   // the value at the minimum; results are reported as the excess over it
    double (*value_and_gradient)(numbers const& x, numbers& gradient);
};

/// ½ Σ λ_i y_i², of 10 numbers, with λ from 1 to 10^4 in equal ratios. y = x − 2 u (u·x) is a reflection.
/// Therefore no axis of x is an axis of the quadratic.
inline double quadratic(numbers const& x, numbers& g) {
    int const n = 10;
    numbers u(10), y(10);
    double length = 0, along = 0, value = 0;
    for (int i = 0; i < n; ++i) length += (i + 1.0) * (i + 1.0);
    for (int i = 0; i < n; ++i) u[i] = (i + 1) / std::sqrt(length), along += u[i] * x[i];
    double back = 0;
    for (int i = 0; i < n; ++i) {
        y[i] = x[i] - 2 * u[i] * along;
        double const curvature = std::pow(10.0, 4.0 * i / (n - 1));
        value += 0.5 * curvature * y[i] * y[i];
        g[i] = curvature * y[i];
        back += u[i] * g[i];
    }
    for (int i = 0; i < n; ++i) g[i] -= 2 * u[i] * back;
    return value;
}
/// (1 − x)² + 100 (y − x²)².
inline double rosenbrock(numbers const& x, numbers& g) {
    double const a = 1 - x[0], b = x[1] - x[0] * x[0];
    g = {-2 * a - 400 * x[0] * b, 200 * b};
    return a * a + 100 * b * b;
}
/// Σ x² − 10 cos 2πx + 10: of all the minima, one near each pair of integers, only the one at 0 has the value 0.
inline double rastrigin(numbers const& x, numbers& g) {
    double const turn = 2 * 3.14159265358979323846;
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        value += x[i] * x[i] - 10 * std::cos(turn * x[i]) + 10;
        g[i] = 2 * x[i] + 10 * turn * std::sin(turn * x[i]);
    }
    return value;
}

/// Logistic regression on the first 2000 records of examples/data/adult/train.csv: who earns more than 50,000 dollars?
/// Inputs are age, years of education, capital gain and loss, and hours a week, each with mean 0 and deviation 1, and a constant.
/// Empty where the file is missing.
struct census {
    static constexpr std::size_t features = 6;
    std::vector<numbers> rows;
    numbers labels;

    explicit census(char const* path) {
        std::ifstream in(path);
        std::string line;
        std::getline(in, line);   // the header
        while (rows.size() < 2000 && std::getline(in, line)) {
            std::vector<std::string> fields;
            std::istringstream text(line);
            for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
            rows.push_back({1});
            for (std::size_t k : {0, 4, 10, 11, 12}) rows.back().push_back(std::stod(fields.at(k)));
            labels.push_back(fields.back() == ">50K");
        }
        double const n = static_cast<double>(rows.size());
        for (std::size_t k = 1; k < features; ++k) {
            double sum = 0, squares = 0;
            for (numbers const& r : rows) sum += r[k], squares += r[k] * r[k];
            double const mean = sum / n, deviation = std::sqrt(squares / n - mean * mean);
            for (numbers& r : rows) r[k] = (r[k] - mean) / deviation;
        }
    }
};
inline census const& adult() {
    static census const data(XGRAD_EXAMPLE_DATA "/adult/train.csv");
    return data;
}
/// The mean of log(1 + e^z) − y z with z = x·w.
inline double logistic(numbers const& w, numbers& g) {
    census const& data = adult();
    double value = 0;
    g.assign(w.size(), 0);
    for (std::size_t r = 0; r < data.rows.size(); ++r) {
        double z = 0;
        for (std::size_t k = 0; k < w.size(); ++k) z += data.rows[r][k] * w[k];
        value += std::fmax(z, 0) + std::log1p(std::exp(-std::fabs(z))) - data.labels[r] * z;
        double const slope = 1 / (1 + std::exp(-z)) - data.labels[r];
        for (std::size_t k = 0; k < w.size(); ++k) g[k] += slope * data.rows[r][k];
    }
    double const n = static_cast<double>(data.rows.size());
    for (double& d : g) d /= n;
    return value / n;
}

inline problem const problems[]{
    {"quadratic", numbers(10, 1.0), 2000, 0, quadratic}, {"rosenbrock", {-1.2, 1}, 5000, 0, rosenbrock},
    {"rastrigin", {3.3, -2.4}, 1000, 0, rastrigin},
    {"logistic", numbers(census::features, 0.0), 300, 0.421290825746413, logistic},   // the least value: 30000 steps of momentum
};
inline constexpr int problem_count = 4;

}   // namespace classic
