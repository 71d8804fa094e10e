// SPDX-License-Identifier: MIT
// Reads pieces of a binary file and memory for arrays read from files, aligned for SIMD loads.
#pragma once

#include <xgrad/core/error.hpp>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include <sys/stat.h>

XGRAD_NAMESPACE_BEGIN

static_assert(std::endian::native == std::endian::little, "xgrad/io reads and writes little-endian files as they lie in memory");

/// Alignment in bytes of all arrays that are read from files.
inline constexpr std::size_t file_alignment = 64;

namespace detail {

struct aligned_delete {
    void operator()(std::byte* p) const noexcept { ::operator delete[](p, std::align_val_t{file_alignment}); }
};
using aligned_bytes = std::unique_ptr<std::byte[], aligned_delete>;
inline aligned_bytes allocate_aligned(std::size_t bytes) {
    return aligned_bytes(static_cast<std::byte*>(::operator new[](bytes ? bytes : 1, std::align_val_t{file_alignment})));
}

class file_reader {
public:
    explicit file_reader(std::string const& path) : name_(path) {
        struct ::stat about {};
        if (::stat(name_.c_str(), &about) != 0) {
            if (errno == ENOENT || errno == ENOTDIR) raise<io_error>(name_ + ": there is no such file");
            raise<io_error>(name_ + ": cannot look at it: " + std::strerror(errno));
        }
        if ((about.st_mode & S_IFMT) != S_IFREG) raise<io_error>(name_ + ": is not a regular file");
        size_ = static_cast<std::uint64_t>(about.st_size);
        file_.reset(std::fopen(name_.c_str(), "rb"));
        if (!file_) raise<io_error>(name_ + ": cannot open: " + std::strerror(errno));
    }

    std::uint64_t size() const noexcept { return size_; }
    std::string const& name() const noexcept { return name_; }

    /// The next `bytes` bytes; the file may have become shorter since its size was read.
    void read(void* to, std::size_t bytes) {
        if (bytes != 0 && std::fread(to, 1, bytes, file_.get()) != bytes)
            raise<io_error>(name_ + ": " + (std::ferror(file_.get()) ? "cannot read" : "ended while it was read") + " near byte " +
                            std::to_string(position_));
        position_ += bytes;
    }

private:
    struct close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    std::string name_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    std::unique_ptr<std::FILE, close> file_;
};

/// Number of elements of a shape; false if an extent is negative or the product (taken without the zeros, so that it does not depend on
/// the order) times element_size does not fit 63 bits.
template<class Shape>
bool checked_bytes(Shape const& shape, std::uint64_t element_size, std::uint64_t& bytes) {
    std::uint64_t product = element_size;
    bool empty = false;
    for (std::int64_t const extent : shape) {
        if (extent < 0) return false;
        if (extent == 0) {
            empty = true;
            continue;
        }
        if (product > static_cast<std::uint64_t>(INT64_MAX) / static_cast<std::uint64_t>(extent)) return false;
        product *= static_cast<std::uint64_t>(extent);
    }
    bytes = empty ? 0 : product;
    return true;
}

template<class Shape>
XGRAD_COLD std::string shape_text(Shape const& shape) {
    std::string text = "[";
    for (std::int64_t const extent : shape) text += std::string(text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

/// Offset of the first byte that is not a bool (0 or 1), or `bytes`.
inline std::size_t first_bad_bool(std::byte const* data, std::size_t bytes) noexcept {
    std::size_t i = 0;
    while (i < bytes && std::to_integer<unsigned>(data[i]) < 2) ++i;
    return i;
}

}   // namespace detail

XGRAD_NAMESPACE_END
