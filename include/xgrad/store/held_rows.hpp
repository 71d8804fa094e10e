// SPDX-License-Identifier: MIT
// Rows of variables that lie elsewhere than in the store for a while.
#pragma once

#include <xgrad/store/optimizer_state.hpp>

XGRAD_NAMESPACE_BEGIN

/// Who holds them, beside their slots. The store has them brought back before anybody else reads a variable (train/interleaved_rows.hpp).
struct held_rows {
    optimizer_state const* optimizer;      // of the slots
    void (*bring_back)(held_rows& self);   // to variables and slots as they lie in the store
    std::byte* (*row)(
        held_rows const& self, int variable, int slot, std::int64_t row);   // slot −1: of the variable; null: in its usual place
};

XGRAD_NAMESPACE_END
