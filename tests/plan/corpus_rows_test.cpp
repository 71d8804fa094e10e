// SPDX-License-Identifier: MIT
// Normalised rows, sums over any axes, broadcasts, with the planner on and off.
#include <plan/corpus_models.hpp>

TEST_CASE_TEMPLATE("the planner on and off", Model, corpus::normalised, corpus::reduced) { corpus::compare<Model>(); }
