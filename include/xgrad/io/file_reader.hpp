// SPDX-License-Identifier: MIT
// Reads parts of a binary file. Also has what all files of arrays need.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/core/error.hpp>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <sys/stat.h>

XGRAD_NAMESPACE_BEGIN

static_assert(std::endian::native == std::endian::little,
    "xgrad/io: this machine is not little-endian, but files are, in the layout of memory; use a little-endian machine");

/// Alignment in bytes of all arrays that are read from files.
inline constexpr std::size_t file_alignment = aligned_buffer<std::byte>::alignment;

namespace detail {

/// Memory for arrays with this total number of bytes. It has an address also for 0 bytes.
inline aligned_buffer<std::byte> memory_for_file(std::uint64_t bytes) {
    return {static_cast<std::size_t>(bytes != 0 ? bytes : 1), aligned_buffer<std::byte>::uninitialized};
}

class file_reader {
public:
    /// `path` must live as long as the reader.
    XGRAD_COLD explicit file_reader(std::string const& path) : name_(path) {
        struct ::stat about {};
        if (name_.empty()) raise<io_error>("xgrad: the path of the file is empty");
        if (::stat(name_.c_str(), &about) != 0) {
            if (errno == ENOENT || errno == ENOTDIR) raise_parts<io_error>({name_, ": there is no such file"});
            raise_parts<io_error>({name_, ": cannot read its status: ", std::strerror(errno)});
        }
        if ((about.st_mode & S_IFMT) != S_IFREG) raise_parts<io_error>({name_, ": is not a regular file"});
        size_ = static_cast<std::uint64_t>(about.st_size);
        file_ = std::fopen(name_.c_str(), "rb");
        if (file_ == nullptr) raise_parts<io_error>({name_, ": cannot open: ", std::strerror(errno)});
    }
    file_reader(file_reader const&) = delete;
    file_reader& operator=(file_reader const&) = delete;
    ~file_reader() { std::fclose(file_); }

    std::uint64_t size() const noexcept { return size_; }
    std::string const& name() const noexcept { return name_; }

    /// Reads the next `bytes` bytes. Throws io_error if that fails; the file may have become shorter since its size was read.
    XGRAD_COLD void read(void* to, std::size_t bytes) {
        if (bytes != 0 && std::fread(to, 1, bytes, file_) != bytes)
            raise_parts<io_error>({name_, ": ", std::ferror(file_) ? "cannot read" : "ended while it was read", " near byte ", position_});
        position_ += bytes;
    }
    /// The next read begins at `position`.
    XGRAD_COLD void seek(std::uint64_t position) {
        if (std::fseek(file_, static_cast<long>(position), SEEK_SET) != 0)
            raise_parts<io_error>({name_, ": cannot go to byte ", position, ": ", std::strerror(errno)});
        position_ = position;
    }

private:
    std::string const& name_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    std::FILE* file_ = nullptr;
};

/// Computes the number of bytes of an array. Returns false if an extent is negative, or if the number does not fit 63 bits. Extents
/// of 0 are left aside in that check, so that it does not depend on the order of extents.
XGRAD_COLD inline bool checked_bytes(std::int64_t const* extents, std::size_t rank, std::uint64_t element_size, std::uint64_t& bytes) {
    std::uint64_t product = element_size;
    bool empty = false;
    for (std::size_t d = 0; d < rank; ++d) {
        if (extents[d] < 0) return false;
        if (extents[d] == 0) {
            empty = true;
            continue;
        }
        if (product > static_cast<std::uint64_t>(INT64_MAX) / static_cast<std::uint64_t>(extents[d])) return false;
        product *= static_cast<std::uint64_t>(extents[d]);
    }
    bytes = empty ? 0 : product;
    return true;
}

/// Offset of the first byte that is not a bool (0 or 1), or `bytes`.
inline std::size_t first_bad_bool(std::byte const* data, std::size_t bytes) noexcept {
    std::size_t i = 0;
    while (i < bytes && std::to_integer<unsigned>(data[i]) < 2) ++i;
    return i;
}

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
