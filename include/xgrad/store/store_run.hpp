// SPDX-License-Identifier: MIT
// A run of several workers updates the variables of a store. Meanwhile no other code may update them, and others read
// them only when the run permits it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/variable_store.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// During its lifetime a run of `name` updates the variables of the store. Throws value_error if another run does.
class store_run {
    variable_store& store_;

public:
    store_run(variable_store& store, char const* name) : store_(store) { store.begin_run(name); }
    store_run(store_run const&) = delete;
    ~store_run() { store_.end_run(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
