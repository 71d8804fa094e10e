// SPDX-License-Identifier: MIT
// Whole nets, and a second derivative, with the planner on and off.
#include <plan/corpus_models.hpp>

TEST_CASE_TEMPLATE("the planner on and off", Model, corpus::mlp, corpus::wide_and_deep, corpus::curvature) { corpus::compare<Model>(); }
