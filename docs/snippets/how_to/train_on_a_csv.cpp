// SPDX-License-Identifier: MIT
// The program of docs/how_to/train_on_a_csv.md.
// prints: 120 rows, the mean error of 20 new ones is [0-9][.][0-9]
#include "house_model.hpp"

#include <xgrad/data/batches.hpp>
#include <xgrad/io/checkpoint.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace xg = xgrad;

struct table {
    std::vector<float> x, price;
};

table read_csv(std::string const& path) {
    std::ifstream file(path);
    std::string line, field;
    if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot be read");   // the names of the columns
    table t;
    for (int number = 2; std::getline(file, line); ++number) {
        std::vector<float> row;
        for (std::istringstream fields(line); std::getline(fields, field, ',');) row.push_back(std::stof(field));
        if (row.size() != 4) throw std::runtime_error(path + ", line " + std::to_string(number) + ": expected 4 numbers");
        t.x.insert(t.x.end(), row.begin(), row.begin() + 3);
        t.price.push_back(row[3]);
    }
    return t;
}

int main() {
    table const all = read_csv("houses.csv");
    std::size_t const rows = all.price.size(), seen = rows - 20;   // the last 20 are for the test

    auto train = xg::minimize(house::loss, xg::adam{.learning_rate = 0.02});
    train.initialize(xg::he_normal{.seed = 1});
    for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0, squares = 0;
        for (std::size_t r = 0; r < seen; ++r) sum += all.x[3 * r + c], squares += all.x[3 * r + c] * all.x[3 * r + c];
        double const mean = sum / static_cast<double>(seen);
        train.value(house::mean)[c] = static_cast<float>(mean);
        train.value(house::scale)[c] = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(seen) - mean * mean));
    }

    xg::batches batches{{.size = 20, .seed = 1}, xg::array(all.x.data(), seen, 3), xg::array(all.price.data(), seen)};
    for (int epoch = 0; epoch < 400; ++epoch)
        for (auto const& [x, price] : batches) train(house::x = x, house::price = price);

    xg::function estimate{house::estimate, train};
    auto const estimated = estimate(house::x = xg::array(&all.x[3 * seen], rows - seen, 3));
    double error = 0;
    for (std::size_t r = seen; r < rows; ++r) error += std::abs(estimated[r - seen] - all.price[r]) / 20;
    std::printf("%zu rows, the mean error of 20 new ones is %.1f\n", rows, error);
    xg::save(train, "houses.safetensors");
}
