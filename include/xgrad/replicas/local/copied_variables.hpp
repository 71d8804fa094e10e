// SPDX-License-Identifier: MIT
// A worker's copies of variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/store/variable_store.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The sizes of the named dimensions of the variables in a store.
inline sequence<dim_size> sizes_of(variable_store const& store) {
    sequence<dim_size> sizes;
    for (bound_size const& b : store.sizes()) sizes.push({b.info->hash, b.size});
    return sizes;
}
/// Copies into each variable of `to` the values of the variable of the same name in `from`. Both must have the same shape.
inline void copy_variables(variable_store& to, variable_store const& from) {
    for (stored_variable const& v : to.variables())
        if (v.size > 0) std::memcpy(v.data, from.find(v.hash)->data, static_cast<std::size_t>(v.size) * size_of(v.type));
    to.seed = from.seed;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
