// SPDX-License-Identifier: MIT
// Writes the plan of one training step of the wide & deep model for Graphviz:
//     draw_graph | dot -Tsvg > docs/images/wide_and_deep.svg
// With the argument "text": as xg::describe tells it.
#include "wide_and_deep/graph.hpp"

#include <xgrad/inspect/dot.hpp>
#include <xgrad/inspect/describe.hpp>

#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
    using training = decltype(examples::wide_and_deep::make_trainer());
    bool const text = argc > 1 && std::string_view(argv[1]) == "text";
    std::cout << (text ? xgrad::describe<training>() : xgrad::to_dot<training>());
}
