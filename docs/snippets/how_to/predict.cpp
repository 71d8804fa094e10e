// SPDX-License-Identifier: MIT
// The program of docs/how_to/predict.md; it reads what train_on_a_csv.cpp has saved.
// prints: a new flat of 90 square metres, 3 bedrooms: 2[4-7][0-9]
#include "house_model.hpp"

#include <xgrad/io/checkpoint.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

int main() {
    xg::variables weights{house::estimate};   // what the estimate needs: no price, no optimizer
    xg::restore(weights, "houses.safetensors", xg::variables_only);

    xg::function estimate{house::estimate, weights};   // make it once and keep it
    estimate.reserve(house::batch = 64);               // calls of up to 64 rows allocate nothing

    std::vector<float> const flats{90, 3, 0, 50, 2, 30};
    auto const prices = estimate(house::x = xg::array(flats, 2, 3));
    std::printf("an old flat of 50 square metres, 2 bedrooms: %.0f\n", prices[1]);
    std::printf("a new flat of 90 square metres, 3 bedrooms: %.0f\n", prices[0]);
}
