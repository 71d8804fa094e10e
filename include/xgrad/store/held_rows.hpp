// SPDX-License-Identifier: MIT
// Rows of variables that are temporarily stored outside the store, or are not up to date.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/optimizer_state.hpp>

XGRAD_NAMESPACE_BEGIN

/// The holder of such rows, with their slots (train/interleaved_rows.hpp, train/catch_up.hpp). The store has them
/// brought back before any other code reads a variable.
struct held_rows {
    optimizer_state const* optimizer;   // the owner of the slots
    void (*bring_back)(held_rows& self);
    // For a row that is initialized again: its address for slot `slot`, or for the variable if slot is −1. Null: at the
    // usual place.
    std::byte* (*begin_row)(held_rows& self, int variable, int slot, std::int64_t row);
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
