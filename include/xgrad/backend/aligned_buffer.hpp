// SPDX-License-Identifier: MIT
// An owning buffer that is aligned to a cache line, with padding for one batch after its end.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#    include <sys/mman.h>
#endif

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// Buffers of 2 MB or more begin on a huge page and request huge pages, if the system provides them on request.
/// Rows of a table that are far apart then need fewer TLB entries. If the request is refused, nothing changes.
inline constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t(bytes < huge_page ? 64 : huge_page); }
XGRAD_COLD inline void* allocate_pages(std::size_t bytes) {
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#if defined(MADV_HUGEPAGE)
    if (bytes >= huge_page) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

}   // namespace detail

/// `size` elements of T, aligned to 64 bytes. The buffer has 64 more bytes of zeros after its end,
/// so a whole batch can be read from the last element. Move-only. Throws std::bad_alloc, or aborts without exceptions.
template<class T>
    requires std::is_trivially_copyable_v<T>
class aligned_buffer {
public:
    static constexpr std::size_t alignment = 64;
    static constexpr std::size_t padding = 64;
    struct uninitialized_t {};
    /// Does not initialize the elements.
    static constexpr uninitialized_t uninitialized{};

    aligned_buffer() noexcept = default;
    /// All bytes of the elements are zero.
    explicit aligned_buffer(std::size_t size) : aligned_buffer(size, uninitialized) {
        if (size != 0) std::memset(static_cast<void*>(data_), 0, size * sizeof(T));
    }
    aligned_buffer(std::size_t size, uninitialized_t) : size_(size) {
        if (size == 0) return;
        if (size > (static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - padding - alignment) / sizeof(T)) fail();
        data_ = static_cast<T*>(detail::allocate_pages(bytes()));
        std::memset(reinterpret_cast<char*>(data_) + size * sizeof(T), 0, padding);
    }
    aligned_buffer(aligned_buffer&& other) noexcept { swap(other); }
    aligned_buffer& operator=(aligned_buffer&& other) noexcept {
        aligned_buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~aligned_buffer() {
        if (data_ != nullptr) ::operator delete(data_, detail::alignment_of(bytes()));
    }
    void swap(aligned_buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

    /// Makes the buffer hold at least n elements. If it grows, none of its elements
    /// are initialized. Throws like the constructor, and is unchanged then.
    void grow_to(std::size_t n) {
        if (n <= size_) return;
        aligned_buffer larger(n, uninitialized);
        swap(larger);
    }
    T* data() noexcept { return data_; }
    T const* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    /// Whether p points to one of the elements.
    bool holds(void const* p) const noexcept {
        return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(data_) < size_ * sizeof(T);
    }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    T const* begin() const noexcept { return data_; }
    T const* end() const noexcept { return data_ + size_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    T const& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    std::size_t bytes() const noexcept { return (size_ * sizeof(T) + padding + alignment - 1) / alignment * alignment; }
    [[noreturn]] static void fail() {
#if XGRAD_EXCEPTIONS
        throw std::bad_alloc();
#else
        std::abort();
#endif
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
