// SPDX-License-Identifier: MIT
// A run of several workers moves the variables of a store: nobody else does meanwhile, and others read them only when it lets them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/variable_store.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// While it lives, a run of `name` moves the variables of the store. Throws value_error where another run does.
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
