// SPDX-License-Identifier: MIT
// Concatenations, slices, transposes, products with loops after them, with the planner on and off.
#include <plan/corpus_models.hpp>

TEST_CASE_TEMPLATE("the planner on and off", Model, corpus::moved, corpus::products) { corpus::compare<Model>(); }
