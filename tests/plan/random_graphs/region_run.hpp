// SPDX-License-Identifier: MIT
// A step over bodies with its operands in memory.
#pragma once

#include "body_tables.hpp"
#include "memory.hpp"

#include <vector>

namespace random_graphs {

struct region_run {
    xg::planner::plan_step const& s;
    xg::attributes a;
    xg::region_form f;
    std::uint64_t live;   // of stacked and summed values
    std::vector<place> operands;

    place const& operand(int k) const { return operands[static_cast<std::size_t>(k)]; }
    place const& result(int k) const { return operand(f.operands() + k); }
    bool is_live(int k) const { return (live >> k & 1) != 0; }
    bool is_history(int k) const { return k >= f.emitted() && k < f.stacked; }
    bool keeps_history() const {
        for (int k = 0; k < f.stacked; ++k)
            if (is_live(k)) return true;
        return false;
    }
};

}   // namespace random_graphs
