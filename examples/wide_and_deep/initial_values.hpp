// SPDX-License-Identifier: MIT
// Initial values of wide & deep for a seed.
#pragma once

#include <support/recipe_random.hpp>
#include <wide_and_deep/graph.hpp>

#include <algorithm>

namespace examples::wide_and_deep {

/// Initial values of the recipe: streams 0 ... 7 for the tables, 8 ... 10 for the matrices; biases and wide weights are 0.
template<class Train>
void fill_variables(Train& train, std::uint64_t seed) {
    for (auto const& v : train.store().variables()) std::fill_n(static_cast<float*>(v.data), v.size, 0.0f);
    std::uint64_t stream = 0;
    auto table = [&](auto view) { fill_symmetric(seed, stream++, 0.05, view); };
    auto matrix = [&](auto view) {
        fill_glorot(seed, stream++, static_cast<std::size_t>(view.shape(0)), static_cast<std::size_t>(view.shape(1)), view);
    };
    table(train.value(t0));
    table(train.value(t1));
    table(train.value(t2));
    table(train.value(t3));
    table(train.value(t4));
    table(train.value(t5));
    table(train.value(t6));
    table(train.value(t7));
    matrix(train.value(w1));
    matrix(train.value(w2));
    matrix(train.value(w3));
}

}   // namespace examples::wide_and_deep
