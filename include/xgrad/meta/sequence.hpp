// SPDX-License-Identifier: MIT
// A growing array for constant evaluation. Compilers bound the statements of one evaluation (clang: a million) and run each slowly: std::vector
// spends five to ten on every access, a raw pointer none. So elements are reached through the pointer, `v.at[i]`. It also serves where a header would
// instantiate std::vector, some milliseconds for each element type, in every program that includes it.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <new>

XGRAD_NAMESPACE_BEGIN

namespace detail {
// Of all sequences of plain data: memory from new[] in place of `from`, with the first `bytes` of it; `count` times the same element; a copy.
void* moved_to(std::size_t room, void* from, std::size_t bytes);
void* filled_with(void const* element, std::size_t bytes, int count);
void* copy_of(void const* from, std::size_t bytes);
}   // namespace detail

/// Elements are plain data or strings: they are copied when the array grows, and whoever pushes gives them their value.
template<class T>
struct sequence {
    T* at = nullptr;
    int count = 0;
    int room = 0;

    constexpr sequence() = default;
    constexpr explicit sequence(int n) { make(n); }
    constexpr sequence(int n, T const& value) {
        if constexpr (is_plain)
            if (!__builtin_is_constant_evaluated()) {
                take(detail::filled_with(&value, sizeof(T), n), n);
                return;
            }
        make(n);
        for (T* p = at; count < n; ++count) p[count] = value;
    }
    constexpr sequence(sequence const& o) {
        if constexpr (is_plain)
            if (!__builtin_is_constant_evaluated()) {
                take(detail::copy_of(o.at, static_cast<std::size_t>(o.count) * sizeof(T)), o.count);
                return;
            }
        make(o.count);
        for (T *p = at, *q = o.at; count < o.count; ++count) p[count] = q[count];
    }
    constexpr sequence& operator=(sequence const&) = delete;
    constexpr ~sequence() { delete[] at; }

    constexpr void push(T const& value) {
        if (count == room) grow();
        at[count++] = value;
    }
    constexpr void clear() { count = 0; }
    constexpr void swap(sequence& o) {
        T* const p = at;
        int const n = count, m = room;
        at = o.at;
        count = o.count;
        room = o.room;
        o.at = p;
        o.count = n;
        o.room = m;
    }
    constexpr T& last() { return at[count - 1]; }
    constexpr T& operator[](int i) const { return at[i]; }   // where nothing is counted; constant evaluation takes at[i]
    constexpr T* begin() const { return at; }
    constexpr T* end() const { return at + count; }

private:
    static constexpr bool is_plain = __is_trivially_copyable(T) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    constexpr void make(int n) {
        room = n > 0 ? n : 1;
        at = new T[static_cast<unsigned>(room)];
    }
    void take(void* first, int n) {
        at = static_cast<T*>(first);
        count = room = n;
    }
    constexpr void grow() {
        int const wider = room < 16 ? 64 : 4 * room;
        if constexpr (is_plain)
            if (!__builtin_is_constant_evaluated()) {
                at = static_cast<T*>(
                    detail::moved_to(static_cast<std::size_t>(wider) * sizeof(T), at, static_cast<std::size_t>(count) * sizeof(T)));
                room = wider;
                return;
            }
        T* const moved = new T[static_cast<unsigned>(wider)];
        for (int i = 0; i < count; ++i) moved[i] = at[i];
        delete[] at;
        at = moved;
        room = wider;
    }
};

#if XGRAD_COMPILED != 1
namespace detail {
XGRAD_COLD XGRAD_HOST void* moved_to(std::size_t room, void* from, std::size_t bytes) {
    void* const to = ::operator new[](room);
    if (bytes != 0) __builtin_memcpy(to, from, bytes);
    ::operator delete[](from);
    return to;
}
XGRAD_COLD XGRAD_HOST void* filled_with(void const* element, std::size_t bytes, int count) {
    std::size_t const room = bytes * static_cast<unsigned>(count);
    auto* const first = static_cast<char*>(::operator new[](room));
    for (char* to = first; to != first + room; to += bytes) __builtin_memcpy(to, element, bytes);
    return first;
}
XGRAD_COLD XGRAD_HOST void* copy_of(void const* from, std::size_t bytes) {
    return bytes == 0 ? ::operator new[](1) : __builtin_memcpy(::operator new[](bytes), from, bytes);
}
}   // namespace detail
#endif

XGRAD_NAMESPACE_END
