// SPDX-License-Identifier: MIT
// Rows of variables that lie elsewhere than in the store for a while, or are not yet what they are said to be.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/optimizer_state.hpp>

XGRAD_NAMESPACE_BEGIN

/// Who has them, with their slots. The store has them brought back before anybody else reads a variable (train/interleaved_rows.hpp, train/catch_up.hpp).
struct held_rows {
    optimizer_state const* optimizer;   // of the slots
    void (*bring_back)(held_rows& self);
    // A row is made anew: where it lies, of slot `slot` or, −1, of the variable; null: in its usual place.
    std::byte* (*begin_row)(held_rows& self, int variable, int slot, std::int64_t row);
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
