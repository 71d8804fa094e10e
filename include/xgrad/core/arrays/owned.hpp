// SPDX-License-Identifier: MIT
// The sole owner of an object, and the error of a moved-from owner.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
[[noreturn]] XGRAD_COLD inline void raise_moved_from() {
    raise<binding_error>(
        "xgrad: this object has been moved from and has nothing left; use the one that it was moved to, or assign a new one to it");
}
/// Returns `at` if it is not null; otherwise throws.
template<class T>
T* still_there(T* at) {
    if (at == nullptr) [[unlikely]]
        raise_moved_from();
    return at;
}
}   // namespace detail

/// Like std::unique_ptr, which costs the compiler about a hundred instantiations per type. Throws binding_error if it
/// is used after it was moved from.
template<class T>
class owned {
    T* at_;

public:
    explicit owned(T* at) : at_(at) {}
    owned(owned&& o) noexcept : at_(o.at_) { o.at_ = nullptr; }
    owned& operator=(owned o) noexcept {
        T* const other = at_;
        at_ = o.at_;
        o.at_ = other;
        return *this;
    }
    ~owned() { delete at_; }
    T& operator*() const { return *detail::still_there(at_); }
    T* operator->() const { return detail::still_there(at_); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
