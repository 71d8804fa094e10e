// SPDX-License-Identifier: MIT
// Which threads may access the variables of a store while a run of several workers updates them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN

class variable_store;

/// How a call accesses the variables of a store or the state of its trainers.
enum class store_access : unsigned char {
    read,
    change,   // the values of variables
    step      // also slots, scalars, steps or sizes
};

namespace detail {

/// While it lives, this thread may read the variables of the store during a run of several workers, or also change them.
/// Code of xgrad that runs in this thread makes it, for example around on_update.
class store_visit {
    static constinit inline thread_local store_visit const* innermost_ = nullptr;
    variable_store const* store_;
    store_access most_;
    store_visit const* before_;

public:
    explicit store_visit(variable_store const& store, store_access most = store_access::read)
        : store_(&store), most_(most), before_(innermost_) {
        innermost_ = this;
    }
    store_visit(store_visit const&) = delete;
    ~store_visit() { innermost_ = before_; }

    /// Whether this thread may do that during a run.
    static bool allows(variable_store const& store, store_access what) {
        for (store_visit const* v = innermost_; v != nullptr; v = v->before_)
            if (v->store_ == &store && what <= v->most_) return true;
        return false;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
