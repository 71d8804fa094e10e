// SPDX-License-Identifier: MIT
// The sole owner of an object. (As std::unique_ptr, which costs the compiler some hundred instantiations for each type.)
#pragma once

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN

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
    T& operator*() const { return *at_; }
    T* operator->() const { return at_; }
};

XGRAD_NAMESPACE_END
